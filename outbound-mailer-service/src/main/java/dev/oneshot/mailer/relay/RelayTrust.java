package dev.oneshot.mailer.relay;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** The certificates that the relay's must be signed by. */
final class RelayTrust {

    private RelayTrust() {}

    /** @throws IllegalArgumentException naming {@code oneshot.relay.trust-file}, if it cannot be read */
    static Supplier<SSLSocketFactory> socketFactory(RelayConfig config) {
        if (config.trustFile().isEmpty()) {
            // Lazily: reading the default trust store takes a tenth of the start.
            return () -> (SSLSocketFactory) SSLSocketFactory.getDefault();
        }
        Path file = config.trustFile().get();
        try (InputStream pem = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("relay-" + store.size(), certificate);
            }
            if (store.size() == 0) {
                throw new IllegalArgumentException("oneshot.relay.trust-file: no certificate in " + file);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context::getSocketFactory;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("oneshot.relay.trust-file cannot be read: " + file, e);
        }
    }
}
