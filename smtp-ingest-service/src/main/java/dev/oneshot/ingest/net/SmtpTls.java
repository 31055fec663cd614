package dev.oneshot.ingest.net;

import dev.oneshot.contracts.setting.ValidSetting;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.ssl.SslHandler;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.tls.CertificateUpdatedEvent;
import io.quarkus.tls.TlsConfiguration;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.vertx.core.net.SSLOptions;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jboss.logging.Logger;

/**
 * The certificate for STARTTLS, from the Quarkus TLS registry, and its renewal without a restart. A handshake keeps the
 * certificate it began with; the next one uses the new certificate. With Vert.x's {@code updateSSLOptions}, handshakes
 * that begin during a renewal fail.
 */
@Singleton
final class SmtpTls {

    private static final Logger LOG = Logger.getLogger(SmtpTls.class);

    /** RFC 8996 forbids older ones. */
    private static final Set<String> PROTOCOLS = Set.of("TLSv1.2", "TLSv1.3");

    private final Optional<String> name;
    private final Set<String> protocols;
    private volatile Optional<Certificate> certificate;

    /** A certificate with its key, how it is used, and when it or one of its chain expires. */
    private record Certificate(SSLContext context, SSLParameters parameters, SSLOptions options, Instant notAfter) {}

    SmtpTls(SmtpConfig config, TlsConfigurationRegistry registry, MeterRegistry meters) {
        this.name = config.tlsConfigurationName();
        this.protocols = Set.copyOf(config.tlsProtocols());
        ValidSetting.require(
                !protocols.isEmpty() && PROTOCOLS.containsAll(protocols),
                "oneshot.smtp.tls-protocols must be TLSv1.2, TLSv1.3 or both, not " + protocols);
        this.certificate = name.map(given -> {
            TlsConfiguration tls = registry.get(given)
                    .filter(found -> found.getKeyStoreOptions() != null)
                    .orElseThrow(() -> new ConfigurationException(
                            "oneshot.smtp.tls-configuration-name: there is no quarkus.tls.%s with a key store"
                                    .formatted(given)));
            try {
                return read(tls);
            } catch (Exception e) {
                throw new ConfigurationException("quarkus.tls.%s.key-store cannot be used: %s".formatted(given, e), e);
            }
        });
        Gauge.builder("oneshot.ingest.certificate.expiry.timestamp", this, SmtpTls::expirySeconds)
                .description(
                        "When the certificate for STARTTLS expires, or the first of its chain; NaN without STARTTLS")
                .baseUnit("seconds")
                .register(meters);
    }

    /** Whether STARTTLS is offered. */
    boolean isOffered() {
        return name.isPresent();
    }

    /** The server's side of one connection, with the current certificate. */
    SslHandler handler() {
        Certificate current = certificate.orElseThrow();
        SSLEngine engine = current.context().createSSLEngine();
        engine.setUseClientMode(false);
        engine.setSSLParameters(current.parameters());
        SslHandler handler = new SslHandler(engine);
        handler.setHandshakeTimeout(
                current.options().getSslHandshakeTimeout(), current.options().getSslHandshakeTimeoutUnit());
        return handler;
    }

    void renew(@Observes CertificateUpdatedEvent event) {
        if (!name.equals(Optional.of(event.name()))) {
            return;
        }
        try {
            certificate = Optional.of(read(event.tlsConfiguration()));
            LOG.infof("certificate renewed name=%s", event.name());
        } catch (Exception e) {
            LOG.errorf(e, "certificate not renewed, the one before is kept name=%s", event.name());
        }
    }

    private double expirySeconds() {
        return certificate
                .map(current -> (double) current.notAfter().getEpochSecond())
                .orElse(Double.NaN);
    }

    private Certificate read(TlsConfiguration tls) throws Exception {
        SSLContext context = tls.createSSLContext();
        Set<String> named = tls.getSSLOptions().getEnabledCipherSuites();
        // The JDK's without CBC, which TLS 1.2 should no longer use (RFC 9325 §4.2).
        String[] cipherSuites = named.isEmpty()
                ? Arrays.stream(context.getDefaultSSLParameters().getCipherSuites())
                        .filter(suite -> !suite.contains("_CBC_"))
                        .toArray(String[]::new)
                : named.toArray(String[]::new);
        SSLParameters parameters = new SSLParameters(cipherSuites, protocols.toArray(String[]::new));
        return new Certificate(context, parameters, tls.getSSLOptions(), firstExpiry(tls.getKeyStore()));
    }

    private static Instant firstExpiry(KeyStore keys) throws KeyStoreException {
        Instant first = Instant.MAX;
        for (String alias : Collections.list(keys.aliases())) {
            if (keys.isKeyEntry(alias)) {
                for (java.security.cert.Certificate link : keys.getCertificateChain(alias)) {
                    Instant expiry = ((X509Certificate) link).getNotAfter().toInstant();
                    first = expiry.isBefore(first) ? expiry : first;
                }
            }
        }
        return first;
    }
}
