package dev.oneshot.ingest.net;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.tls.CertificateUpdatedEvent;
import io.quarkus.tls.TlsConfiguration;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.quarkus.tls.runtime.config.TlsConfigUtils;
import io.vertx.core.Vertx;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.NetServerOptions;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jboss.logging.Logger;

/**
 * The certificate for STARTTLS, from the Quarkus TLS registry, and its renewal without a restart. Existing
 * connections keep their keys; the next handshake uses the new certificate.
 */
@Singleton
final class SmtpTls {

    private static final Logger LOG = Logger.getLogger(SmtpTls.class);

    /** RFC 8996 forbids older ones. */
    private static final Set<String> PROTOCOLS = Set.of("TLSv1.2", "TLSv1.3");

    private final Vertx vertx;
    private final Optional<String> name;
    private final Optional<TlsConfiguration> configuration;
    private final Optional<RenewableKeys> keys;
    private final Set<String> protocols;

    SmtpTls(Vertx vertx, SmtpConfig config, TlsConfigurationRegistry registry) {
        this.vertx = vertx;
        this.name = config.tlsConfigurationName();
        this.configuration = name.flatMap(registry::get);
        this.protocols = Set.copyOf(config.tlsProtocols());
        if (protocols.isEmpty() || !PROTOCOLS.containsAll(protocols)) {
            throw new ConfigurationException(
                    "oneshot.smtp.tls-protocols must be TLSv1.2, TLSv1.3 or both, not " + protocols);
        }
        if (name.isPresent() && (configuration.isEmpty() || configuration.get().getKeyStoreOptions() == null)) {
            throw new ConfigurationException(
                    "oneshot.smtp.tls-configuration-name: there is no quarkus.tls.%s with a key store"
                            .formatted(name.get()));
        }
        this.keys = configuration.map(tls -> {
            try {
                return new RenewableKeys(read(tls));
            } catch (Exception e) {
                throw new ConfigurationException(
                        "quarkus.tls.%s.key-store cannot be used: %s".formatted(name.orElseThrow(), e), e);
            }
        });
    }

    /** Whether STARTTLS is offered. */
    boolean isOffered() {
        return configuration.isPresent();
    }

    /** Configures a server for STARTTLS; connections begin without TLS. */
    void configure(NetServerOptions options) {
        configuration.ifPresent(tls -> {
            TlsConfigUtils.configure(options, tls);
            if (options.getEnabledCipherSuites().isEmpty()) {
                authenticatedCipherSuites().forEach(options::addEnabledCipherSuite);
            }
        });
        keys.ifPresent(renewable -> options.setKeyCertOptions(KeyCertOptions.wrap(renewable)));
        options.setEnabledSecureTransportProtocols(protocols);
        options.setSsl(false);
    }

    /** The JDK's without CBC, which TLS 1.2 should no longer use (RFC 9325 §4.2). */
    private static List<String> authenticatedCipherSuites() {
        try {
            return Arrays.stream(
                            SSLContext.getDefault().getDefaultSSLParameters().getCipherSuites())
                    .filter(suite -> !suite.contains("_CBC_"))
                    .toList();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no TLS", e);
        }
    }

    void renew(@Observes CertificateUpdatedEvent event) {
        if (keys.isEmpty() || !name.equals(Optional.of(event.name()))) {
            return;
        }
        try {
            keys.get().renew(read(event.tlsConfiguration()));
            LOG.infof("certificate renewed name=%s", event.name());
        } catch (Exception e) {
            LOG.errorf(e, "certificate not renewed, the one before is kept name=%s", event.name());
        }
    }

    private X509ExtendedKeyManager read(TlsConfiguration tls) throws Exception {
        return Arrays.stream(
                        tls.getKeyStoreOptions().getKeyManagerFactory(vertx).getKeyManagers())
                .filter(X509ExtendedKeyManager.class::isInstance)
                .map(X509ExtendedKeyManager.class::cast)
                .findFirst()
                .orElseThrow(() -> new GeneralSecurityException("a key store without X.509 keys"));
    }
}
