package dev.oneshot.testing;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A TLS client that trusts every certificate, for tests that compare the certificate themselves. */
public final class TrustingTls {

    private TrustingTls() {}

    /** Connects to an SMTP server and makes the handshake after STARTTLS, with only these protocols if any are given. */
    public static SSLSocket afterStartTls(int port, String... protocols) throws IOException, GeneralSecurityException {
        SmtpClient client = SmtpClient.greeted(port);
        client.say("STARTTLS");
        return handshake(client.socket(), protocols);
    }

    /** The name in a server's certificate. */
    public static String subject(SSLSocket secure) throws IOException {
        return secure.getSession().getPeerPrincipal().getName();
    }

    /** Makes the handshake on a connection, with only these protocols if any are given. */
    public static SSLSocket handshake(Socket plain, String... protocols) throws IOException, GeneralSecurityException {
        SSLSocket secure = socket(plain);
        if (protocols.length > 0) {
            secure.setEnabledProtocols(protocols);
        }
        secure.startHandshake();
        return secure;
    }

    /** Makes the handshake with TLS 1.2 and only these cipher suites. */
    public static SSLSocket handshakeWithCipherSuites(Socket plain, String... cipherSuites)
            throws IOException, GeneralSecurityException {
        SSLSocket secure = socket(plain);
        secure.setEnabledProtocols(new String[] {"TLSv1.2"});
        secure.setEnabledCipherSuites(cipherSuites);
        secure.startHandshake();
        return secure;
    }

    private static SSLSocket socket(Socket plain) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustEveryone()}, new SecureRandom());
        return (SSLSocket) context.getSocketFactory().createSocket(plain, "mx.example", plain.getPort(), true);
    }

    private static final class TrustEveryone implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
