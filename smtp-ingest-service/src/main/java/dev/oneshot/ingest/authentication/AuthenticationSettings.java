package dev.oneshot.ingest.authentication;

import dev.oneshot.authentication.resolver.DnsResolver;
import dev.oneshot.contracts.setting.ValidSetting;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.session.MailDelivery;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Checks the settings, and creates the delivery. */
// The class that Caffeine chooses for the cache of DnsResolver.
@RegisterForReflection(classNames = "com.github.benmanes.caffeine.cache.SSMWA")
@Singleton
public final class AuthenticationSettings {

    private static final Logger LOG = Logger.getLogger(AuthenticationSettings.class);
    private static final Duration TIMEOUT_MIN = Duration.ofMillis(1);
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
        ValidSetting.between("oneshot.authentication.timeout", config.timeout(), TIMEOUT_MIN, TIMEOUT_MAX);
        boolean enabled = config.enabled().orElse(dns.servers().isPresent());
        this.authenticator =
                enabled ? Optional.of(new Authenticator(resolver(dns), config.timeout(), clock)) : Optional.empty();
    }

    void start(@Observes StartupEvent event) {
        if (authenticator.isEmpty()) {
            LOG.info("authentication off: SPF, DKIM and DMARC are not checked; oneshot.dns.servers turns it on");
        }
    }

    /** Stores messages, with their verdicts if they are checked. */
    public MailDelivery delivery() {
        return authenticator.isEmpty()
                ? delivery
                : new AuthenticatedDelivery(authenticator.get(), policy.authservId(), metrics, delivery);
    }

    private static DnsResolver resolver(DnsConfig config) {
        List<InetSocketAddress> servers = config.servers()
                .map(texts -> texts.stream().map(AuthenticationSettings::server).toList())
                .orElseGet(() -> DnsResolver.serversOfThisMachine());
        ValidSetting.require(
                !servers.isEmpty(),
                "oneshot.dns.servers must name a name server, as this machine's settings have none");
        return new DnsResolver(
                servers,
                ValidSetting.between("oneshot.dns.query-timeout", config.queryTimeout(), TIMEOUT_MIN, TIMEOUT_MAX),
                ValidSetting.atLeast(
                        "oneshot.dns.cache-bytes-max", config.cacheBytesMax().asLongValue(), CACHE_BYTES_MIN));
    }

    /** Parses an address with or without a port. */
    static InetSocketAddress server(String text) {
        return ValidSetting.made("oneshot.dns.servers", () -> DnsResolver.serverAddress(text));
    }
}
