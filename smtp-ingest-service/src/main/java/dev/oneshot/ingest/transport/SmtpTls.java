package dev.oneshot.ingest.transport;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.tls.CertificateUpdatedEvent;
import io.quarkus.tls.TlsConfiguration;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.quarkus.tls.runtime.config.TlsConfigUtils;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jboss.logging.Logger;

/**
 * The certificate for STARTTLS, from the Quarkus TLS registry, and its renewal without a restart. While Vert.x reads a new
 * one, which takes some milliseconds, it closes connections that are just being made; senders come again.
 */
@Singleton
final class SmtpTls {

    private static final Logger LOG = Logger.getLogger(SmtpTls.class);

    private final Optional<String> name;
    private final Optional<TlsConfiguration> configuration;
    private final Set<NetServer> servers = new CopyOnWriteArraySet<>();

    SmtpTls(SmtpConfig config, TlsConfigurationRegistry registry) {
        this.name = config.tlsConfigurationName();
        this.configuration = name.flatMap(registry::get);
        if (name.isPresent() && (configuration.isEmpty() || configuration.get().getKeyStoreOptions() == null)) {
            throw new ConfigurationException(
                    "oneshot.smtp.tls-configuration-name: there is no quarkus.tls.%s with a key store"
                            .formatted(name.get()));
        }
    }

    /** Whether STARTTLS can be offered. */
    boolean isOffered() {
        return configuration.isPresent();
    }

    /** Gives a server what it needs for STARTTLS; it still begins without TLS. */
    void configure(NetServerOptions options) {
        configuration.ifPresent(tls -> TlsConfigUtils.configure(options, tls));
        options.setSsl(false);
    }

    /** From now on this server gets renewed certificates. */
    void keepCurrent(NetServer server) {
        servers.add(server);
    }

    void renew(@Observes CertificateUpdatedEvent event) {
        if (!name.equals(Optional.of(event.name()))) {
            return;
        }
        for (NetServer server : servers) {
            server.updateSSLOptions(event.tlsConfiguration().getSSLOptions())
                    .onFailure(failure -> LOG.errorf(failure, "certificate not renewed name=%s", event.name()));
        }
        LOG.infof("certificate renewed name=%s", event.name());
    }
}
