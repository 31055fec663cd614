package dev.oneshot.ingest.net;

import dev.oneshot.ingest.smtp.session.ClientAllowance;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Applies limits to clients, by network. The table is bounded: beyond, the network that was quiet for
 * longest and has no connection is forgotten. Safe for any number of threads.
 */
final class ClientNetworks {

    private static final double NANOS_PER_MINUTE = Duration.ofMinutes(1).toNanos();

    private final Limits limits;
    private final LongSupplier nanoTime;
    private final LinkedHashMap<Network, Usage> usages = new LinkedHashMap<>(16, 0.75f, true);
    private final ConcurrentMap<Limit, Long> refusals = new ConcurrentHashMap<>();
    private final AtomicInteger connections = new AtomicInteger();

    /** The limits. */
    enum Limit {
        CONNECTIONS,
        MESSAGES,
        UNKNOWN_RECIPIENTS
    }

    /**
     * The limits of one network, but for the first.
     *
     * @param allConnectionsMax of all networks
     * @param prefixBits4 the size of a network of IPv4 addresses
     * @param prefixBits6 the size of a network of IPv6 addresses
     * @param messagesPerMinute 0 for no limit
     * @param unknownRecipientsPerMinute 0 for no limit
     * @param networksMax how many networks are remembered, besides those with connections
     * @param trusted networks without limits
     */
    record Limits(
            int allConnectionsMax,
            int prefixBits4,
            int prefixBits6,
            int connectionsMax,
            int messagesPerMinute,
            int unknownRecipientsPerMinute,
            int networksMax,
            List<Network> trusted) {}

    /** The usage of one network. */
    private static final class Usage {
        private int connections;
        private final Rate messages = new Rate();
        private final Rate unknownRecipients = new Rate();
    }

    /** A bucket of tokens that a minute fills. */
    private static final class Rate {
        private double used;
        private long since;

        boolean take(int perMinute, long now) {
            used = Math.max(0, used - (now - since) / NANOS_PER_MINUTE * perMinute);
            since = now;
            boolean taken = perMinute == 0 || used + 1 <= perMinute;
            used += taken ? 1 : 0;
            return taken;
        }
    }

    ClientNetworks(Limits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    /** Counts a connection in all; false, without counting, if there are too many. */
    boolean open() {
        if (connections.incrementAndGet() > limits.allConnectionsMax()) {
            connections.decrementAndGet();
            return false;
        }
        return true;
    }

    void close() {
        connections.decrementAndGet();
    }

    /** How many connections are open. */
    int connections() {
        return connections.get();
    }

    /** Counts a connection of a client; false, without counting, if its network has too many. */
    boolean enter(InetAddress client) {
        Network network = network(client);
        if (network == null) {
            return true;
        }
        synchronized (usages) {
            Usage usage = usage(network);
            if (usage.connections < limits.connectionsMax()) {
                usage.connections++;
                return true;
            }
        }
        return refused(Limit.CONNECTIONS);
    }

    void leave(InetAddress client) {
        Network network = network(client);
        if (network != null) {
            synchronized (usages) {
                usage(network).connections--;
            }
        }
    }

    /** The remaining allowance of a client. */
    ClientAllowance allowance(InetAddress client) {
        Network network = network(client);
        return network == null ? ClientAllowance.UNLIMITED : new OfNetwork(this, network);
    }

    /** How often a limit has refused something. */
    long refusals(Limit limit) {
        return refusals.getOrDefault(limit, 0L);
    }

    int size() {
        synchronized (usages) {
            return usages.size();
        }
    }

    private record OfNetwork(ClientNetworks networks, Network network) implements ClientAllowance {

        @Override
        public boolean takeMessage() {
            return networks.take(network, Limit.MESSAGES, networks.limits.messagesPerMinute());
        }

        @Override
        public boolean takeUnknownRecipient() {
            return networks.take(network, Limit.UNKNOWN_RECIPIENTS, networks.limits.unknownRecipientsPerMinute());
        }
    }

    private boolean take(Network network, Limit limit, int perMinute) {
        boolean taken;
        synchronized (usages) {
            Usage usage = usage(network);
            Rate rate = limit == Limit.MESSAGES ? usage.messages : usage.unknownRecipients;
            taken = rate.take(perMinute, nanoTime.getAsLong());
        }
        return taken || refused(limit);
    }

    private boolean refused(Limit limit) {
        refusals.merge(limit, 1L, Long::sum);
        return false;
    }

    /** Null if it is trusted. */
    private @Nullable Network network(InetAddress client) {
        if (limits.trusted().stream().anyMatch(trusted -> trusted.contains(client))) {
            return null;
        }
        return Network.around(client, client instanceof Inet4Address ? limits.prefixBits4() : limits.prefixBits6());
    }

    private Usage usage(Network network) {
        Usage usage = usages.computeIfAbsent(network, _ -> new Usage());
        if (usages.size() > limits.networksMax()) {
            forgetOldest(network);
        }
        return usage;
    }

    private void forgetOldest(Network except) {
        Iterator<Map.Entry<Network, Usage>> oldest = usages.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<Network, Usage> entry = oldest.next();
            // Those with connections are bounded by the number of connections.
            if (entry.getValue().connections == 0 && !entry.getKey().equals(except)) {
                oldest.remove();
                return;
            }
        }
    }
}
