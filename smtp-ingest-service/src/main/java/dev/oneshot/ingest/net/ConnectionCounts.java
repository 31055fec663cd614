package dev.oneshot.ingest.net;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts connections, in all and by client address, against their bounds. */
final class ConnectionCounts {

    private final AtomicInteger all = new AtomicInteger();
    private final ConcurrentMap<InetAddress, Integer> byClient = new ConcurrentHashMap<>();
    private final int max;
    private final int perClientMax;

    ConnectionCounts(int max, int perClientMax) {
        this.max = max;
        this.perClientMax = perClientMax;
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

    /** Counts a connection of this client; false, without counting, if it has too many. */
    boolean enter(InetAddress client) {
        boolean[] entered = {false};
        byClient.compute(client, (_, count) -> {
            int before = count == null ? 0 : count;
            entered[0] = before < perClientMax;
            return entered[0] ? Integer.valueOf(before + 1) : count;
        });
        return entered[0];
    }

    void leave(InetAddress client) {
        byClient.computeIfPresent(client, (_, count) -> count == 1 ? null : count - 1);
    }

    int all() {
        return all.get();
    }
}
