package dev.oneshot.api.connection;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
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
    private final Group all = new Group();
    private final Map<ClientNetwork, Group> networks = new HashMap<>();

    /** @param reached called with the bound when a connection is closed for it; must not block */
    PortConnections(int max, int networkMax, Consumer<Bound> reached) {
        this.max = max;
        this.networkMax = networkMax;
        this.reached = reached;
    }

    /** Open connections, and those of them without a request, idle for longest first. */
    private static final class Group {

        private final SequencedSet<Connection> idle = new LinkedHashSet<>();
        private int open;
    }

    final class Connection {

        private final ClientNetwork client;
        private final Group network;
        private final Runnable close;
        private int requests;
        private boolean isOpen = true;

        private Connection(ClientNetwork client, Group network, Runnable close) {
            this.client = client;
            this.network = network;
            this.close = close;
        }

        /** Notes that a request begins; false if the connection has been closed for another one. */
        boolean beginRequest() {
            synchronized (PortConnections.this) {
                if (requests++ == 0) {
                    all.idle.remove(this);
                    network.idle.remove(this);
                }
                return isOpen;
            }
        }

        /** Notes that a request has ended. */
        void endRequest() {
            synchronized (PortConnections.this) {
                if (--requests == 0 && isOpen) {
                    all.idle.add(this);
                    network.idle.add(this);
                }
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

    /** The bound that closes a connection; {@code HEADER} is the time for the first request's header. */
    enum Bound {
        CLIENT,
        PORT,
        HEADER
    }

    /**
     * Admits a connection, if need be in place of an idle one; null if it is rejected.
     *
     * @param isTrustedProxy whether only the bound of the port applies
     * @param close closes the connection; must not block
     */
    synchronized @Nullable Connection admit(ClientNetwork client, boolean isTrustedProxy, Runnable close) {
        Group present = networks.getOrDefault(client, new Group());
        Bound bound =
                !isTrustedProxy && present.open >= networkMax ? Bound.CLIENT : all.open >= max ? Bound.PORT : null;
        if (bound != null) {
            reached.accept(bound);
            SequencedSet<Connection> idle = bound == Bound.CLIENT ? present.idle : all.idle;
            if (idle.isEmpty()) {
                return null;
            }
            Connection longest = idle.getFirst();
            remove(longest);
            longest.close.run();
        }
        Group network = networks.computeIfAbsent(client, unknown -> new Group());
        Connection admitted = new Connection(client, network, close);
        all.open++;
        network.open++;
        all.idle.add(admitted);
        network.idle.add(admitted);
        return admitted;
    }

    synchronized int open() {
        return all.open;
    }

    private void remove(Connection connection) {
        connection.isOpen = false;
        all.open--;
        all.idle.remove(connection);
        connection.network.idle.remove(connection);
        if (--connection.network.open == 0) {
            networks.remove(connection.client);
        }
    }
}
