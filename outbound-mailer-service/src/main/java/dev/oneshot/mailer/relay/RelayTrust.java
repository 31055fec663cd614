package dev.oneshot.mailer.relay;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.nio.file.Path;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;

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
        try {
            var pem = (JdkSslContext) SslContextBuilder.forClient()
                    .sslProvider(SslProvider.JDK)
                    .trustManager(file.toFile())
                    .build();
            return pem.context()::getSocketFactory;
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException("oneshot.relay.trust-file cannot be read: " + file, e);
        }
    }
}
