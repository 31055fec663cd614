package dev.oneshot.ingest.net;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts connections in all, against their bound. */
final class ConnectionCounts {

    private final AtomicInteger all = new AtomicInteger();
    private final int max;
    private final ClientNetworks networks;

    ConnectionCounts(int max, ClientNetworks networks) {
        this.max = max;
        this.networks = networks;
    }

    /** The same by client, with its other limits. */
    ClientNetworks networks() {
        return networks;
    }

    /** Counts a connection; false, without counting, if there are too many. */
    boolean enter() {
        if (all.incrementAndGet() > max) {
            all.decrementAndGet();
            return false;
        }
        return true;
    }

    void leave() {
        all.decrementAndGet();
    }

    int all() {
        return all.get();
    }
}
