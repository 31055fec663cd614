package dev.oneshot.ingest.authentication;

import dev.oneshot.ingest.delivery.MailDelivery;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.xbill.DNS.ResolverConfig;

/** Checks the settings, and creates the delivery of each connection. */
@Singleton
public final class AuthenticationSettings {

    private static final Logger LOG = Logger.getLogger(AuthenticationSettings.class);
    private static final Duration TIMEOUT_MAX = Duration.ofMinutes(1);
    private static final long CACHE_BYTES_MIN = 64 * 1024;

    private final MailDelivery delivery;
    private final SmtpPolicy policy;
    private final AuthenticationMetrics metrics;
    private final Optional<Authenticator> authenticator;

    public AuthenticationSettings(
            AuthenticationConfig config,
            DnsConfig dns,
            MailDelivery delivery,
            SmtpPolicy policy,
            MeterRegistry registry,
            InstantSource clock) {
        this.delivery = delivery;
        this.policy = policy;
        this.metrics = new AuthenticationMetrics(registry);
        checked("oneshot.authentication.timeout", config.timeout());
        boolean enabled = config.enabled().orElse(dns.servers().isPresent());
        this.authenticator =
                enabled ? Optional.of(new Authenticator(resolver(dns), config.timeout(), clock)) : Optional.empty();
    }

    void start(@Observes StartupEvent event) {
        if (authenticator.isEmpty()) {
            LOG.info("authentication off: SPF, DKIM and DMARC are not checked; oneshot.dns.servers turns it on");
        }
    }

    /** The delivery of one connection; empty if verdicts are off. */
    public Optional<AuthenticatedDelivery> delivery() {
        return authenticator.map(checks -> new AuthenticatedDelivery(checks, policy.authservId(), metrics, delivery));
    }

    private static DnsResolver resolver(DnsConfig config) {
        List<InetSocketAddress> servers = config.servers()
                .map(texts -> texts.stream().map(AuthenticationSettings::server).toList())
                .orElseGet(() -> ResolverConfig.getCurrentConfig().servers());
        if (servers.isEmpty()) {
            throw new ConfigurationException(
                    "oneshot.dns.servers must name a name server, as this machine's settings have none");
        }
        checked("oneshot.dns.query-timeout", config.queryTimeout());
        long bytes = config.cacheBytesMax().asLongValue();
        if (bytes < CACHE_BYTES_MIN) {
            throw new ConfigurationException("oneshot.dns.cache-bytes-max must be at least 64K, not " + bytes);
        }
        return new DnsResolver(servers, config.queryTimeout(), bytes);
    }

    private static void checked(String key, Duration value) {
        if (!value.isPositive() || value.compareTo(TIMEOUT_MAX) > 0) {
            throw new ConfigurationException(key + " must be more than 0 and at most 1 minute, not " + value);
        }
    }

    /** Parses an address with or without a port. */
    static InetSocketAddress server(String text) {
        try {
            return DnsResolver.serverAddress(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    "oneshot.dns.servers must be addresses such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:53, not "
                            + text,
                    e);
        }
    }
}
