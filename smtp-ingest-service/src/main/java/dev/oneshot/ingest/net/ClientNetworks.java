package dev.oneshot.ingest.net;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.oneshot.ingest.smtp.session.ClientAllowance;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.net.CidrAddress;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/** Limits clients by network, and knows the networks of load balancers. Safe for any number of threads. */
// The class that Caffeine chooses for this cache.
@RegisterForReflection(classNames = "com.github.benmanes.caffeine.cache.SSMS")
final class ClientNetworks {

    /** How many networks are remembered for their rates, at about 300 bytes each; the least active are forgotten. */
    static final int NETWORKS_MAX = 50_000;

    private static final double NANOS_PER_MINUTE = Duration.ofMinutes(1).toNanos();

    private final SmtpConfig config;
    private final List<CidrAddress> trusted;
    private final List<CidrAddress> proxies;
    private final LongSupplier nanoTime;
    private final ConcurrentMap<Limit, Long> refusals = new ConcurrentHashMap<>();
    private final Semaphore places;
    private final ConcurrentMap<CidrAddress, Integer> connectionsByNetwork = new ConcurrentHashMap<>();
    private final Cache<CidrAddress, Usage> usages = Caffeine.newBuilder()
            .maximumSize(NETWORKS_MAX)
            .executor(Runnable::run)
            .build();

    enum Limit {
        CONNECTIONS,
        MESSAGES,
        UNKNOWN_RECIPIENTS
    }

    /** What one network has used of its rates. */
    private record Usage(Rate messages, Rate unknownRecipients) {}

    /** A bucket of tokens that a minute fills. */
    private static final class Rate {
        private double used;
        private long since;

        /** @param perMinute 0 for no limit */
        synchronized boolean take(int perMinute, long now) {
            used = Math.max(0, used - (now - since) / NANOS_PER_MINUTE * perMinute);
            since = now;
            boolean taken = perMinute == 0 || used + 1 <= perMinute;
            used += taken ? 1 : 0;
            return taken;
        }
    }

    ClientNetworks(SmtpConfig config, LongSupplier nanoTime) {
        this.config = config;
        this.trusted = config.trustedNetworks().orElse(List.of());
        this.proxies = config.proxyNetworks().orElse(List.of());
        this.places = new Semaphore(config.connectionsMax());
        this.nanoTime = nanoTime;
    }

    /** Counts a connection in all; false, without counting, if there are too many. */
    boolean open() {
        return places.tryAcquire();
    }

    void close() {
        places.release();
    }

    int connections() {
        return config.connectionsMax() - places.availablePermits();
    }

    /** Counts a connection of a client; false, without counting, if its network has too many. */
    boolean enter(InetAddress client) {
        if (isTrusted(client)) {
            return true;
        }
        if (connectionsByNetwork.merge(network(client), 1, Integer::sum) <= config.connectionsPerClientMax()) {
            return true;
        }
        leave(client);
        return refused(Limit.CONNECTIONS);
    }

    void leave(InetAddress client) {
        if (!isTrusted(client)) {
            connectionsByNetwork.computeIfPresent(network(client), (_, count) -> count == 1 ? null : count - 1);
        }
    }

    /** The remaining allowance of a client. */
    ClientAllowance allowance(InetAddress client) {
        if (isTrusted(client)) {
            return ClientAllowance.UNLIMITED;
        }
        CidrAddress network = network(client);
        return new ClientAllowance() {

            @Override
            public boolean takeMessage() {
                return usage(network).messages().take(config.messagesPerClientMax(), nanoTime.getAsLong())
                        || refused(Limit.MESSAGES);
            }

            @Override
            public boolean takeUnknownRecipient() {
                return usage(network)
                                .unknownRecipients()
                                .take(config.unknownRecipientsPerClientMax(), nanoTime.getAsLong())
                        || refused(Limit.UNKNOWN_RECIPIENTS);
            }
        };
    }

    private Usage usage(CidrAddress network) {
        return usages.get(network, _ -> new Usage(new Rate(), new Rate()));
    }

    /** How often a limit has refused something. */
    long refusals(Limit limit) {
        return refusals.getOrDefault(limit, 0L);
    }

    /** How many networks are remembered for their rates. */
    long size() {
        return usages.estimatedSize();
    }

    private boolean refused(Limit limit) {
        refusals.merge(limit, 1L, Long::sum);
        return false;
    }

    /** Whether the peer is a load balancer. Its connections begin with a PROXY header. */
    boolean isProxy(InetAddress peer) {
        return proxies.stream().anyMatch(network -> network.matches(peer));
    }

    private boolean isTrusted(InetAddress client) {
        return trusted.stream().anyMatch(network -> network.matches(client));
    }

    private CidrAddress network(InetAddress client) {
        return CidrAddress.create(
                client, client instanceof Inet4Address ? config.clientPrefixIpv4() : config.clientPrefixIpv6());
    }
}
