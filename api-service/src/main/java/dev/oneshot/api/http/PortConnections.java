package dev.oneshot.api.http;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one port, bounded in all and for each client network. At a bound, a new connection takes the place of
 * the one that has been without a request for longest. Safe for use by many threads.
 */
final class PortConnections {

    private final int max;
    private final int networkMax;
    private final Consumer<Bound> reached;
    /** Connections without a request; the first has been idle for longest. */
    private final SequencedSet<Connection> idle = new LinkedHashSet<>();
    /** Open connections by client network. */
    private final Map<ClientNetwork, Integer> networks = new HashMap<>();

    private int open;

    /** @param reached called with the bound when a connection is closed for it; must not block */
    PortConnections(int max, int networkMax, Consumer<Bound> reached) {
        this.max = max;
        this.networkMax = networkMax;
        this.reached = reached;
    }

    /** One of them. */
    final class Connection {

        private final ClientNetwork client;
        private final Runnable close;
        private int requests;
        private boolean isOpen = true;
        private boolean hadRequest;

        private Connection(ClientNetwork client, Runnable close) {
            this.client = client;
            this.close = close;
        }

        /** Notes that a request begins; false if the connection has been closed for another one. */
        boolean beginRequest() {
            synchronized (PortConnections.this) {
                hadRequest = true;
                requests++;
                idle.remove(this);
                return isOpen;
            }
        }

        /** Notes that a request has ended. */
        void endRequest() {
            synchronized (PortConnections.this) {
                if (--requests == 0 && isOpen) {
                    idle.add(this);
                }
            }
        }

        /** Whether a request has ever begun. */
        boolean hadRequest() {
            synchronized (PortConnections.this) {
                return hadRequest;
            }
        }

        /** Notes that the connection is closed. */
        void leave() {
            synchronized (PortConnections.this) {
                if (isOpen) {
                    remove(this);
                }
            }
        }
    }

    /** The bounds for which connections are closed. */
    enum Bound {
        CLIENT,
        PORT
    }

    /**
     * Admits a connection, if need be in place of an idle one; null if it is rejected.
     *
     * @param isTrustedProxy whether only the bound of the port applies
     * @param close closes the connection; must not block
     */
    synchronized @Nullable Connection admit(ClientNetwork client, boolean isTrustedProxy, Runnable close) {
        boolean isClientAtBound = !isTrustedProxy && networks.getOrDefault(client, 0) >= networkMax;
        if (isClientAtBound || open >= max) {
            reached.accept(isClientAtBound ? Bound.CLIENT : Bound.PORT);
            Optional<Connection> longest = idle.stream()
                    .filter(other -> !isClientAtBound || other.client.equals(client))
                    .findFirst();
            if (longest.isEmpty()) {
                return null;
            }
            remove(longest.get());
            longest.get().close.run();
        }
        Connection admitted = new Connection(client, close);
        open++;
        networks.merge(client, 1, Integer::sum);
        idle.add(admitted);
        return admitted;
    }

    /** How many are open. */
    synchronized int open() {
        return open;
    }

    private void remove(Connection connection) {
        connection.isOpen = false;
        open--;
        idle.remove(connection);
        // Null removes the entry.
        networks.computeIfPresent(connection.client, (_, count) -> count == 1 ? null : count - 1);
    }
}
