package dev.oneshot.mailer.relay;

import dev.oneshot.local.backends.KeyStoreFile;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A self-signed certificate of a host.
 *
 * @param serverContext for the host itself
 * @param pem for its clients
 */
public record TestCertificate(SSLContext serverContext, Path pem) {

    private static final String RELAY = "relay";

    /** Makes one for a host name. */
    public static TestCertificate make(Path directory, String host) throws Exception {
        KeyStoreFile file = new KeyStoreFile(directory.resolve("store.p12"));
        file.add(RELAY, host, "EC", "-ext", "SAN=dns:" + host);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(file.load(), KeyStoreFile.PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        Path pem = Files.writeString(directory.resolve("relay.pem"), file.certificate(RELAY));
        return new TestCertificate(context, pem);
    }
}
