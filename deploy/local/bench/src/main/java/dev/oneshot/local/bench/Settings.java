package dev.oneshot.local.bench;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run is asked to do.
 *
 * @param seconds how long each single measurement takes, 1 to 3600
 * @param sustain how long the measurements at a fixed rate take, 1 to 3600
 * @param connections how many connections carry the load, each 1 to 1000
 * @param sizes of messages in octets, each 512 to 32 MiB
 * @param rows how many mails expire, 1000 to 10,000,000
 * @param accounts how many accounts share the load on the API, 1 to 10,000
 * @param full every size with every number of connections and every mode
 * @param durable whether PostgreSQL's commits outlive a power cut
 * @param heap of each service, as {@code -Xmx} takes it; null for what each has in the local stack
 */
public record Settings(
        Duration seconds,
        Duration sustain,
        List<Integer> connections,
        List<Integer> sizes,
        int rows,
        int accounts,
        boolean full,
        boolean durable,
        @Nullable String heap) {

    public Settings {
        connections = List.copyOf(connections);
        sizes = List.copyOf(sizes);
    }

    /** Before each measurement, so that code is compiled and connections are open. */
    public Duration warmUp() {
        return Duration.ofMillis(Math.max(500, seconds.toMillis() / 2));
    }
}
