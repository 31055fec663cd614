package dev.oneshot.local.bench;

import java.time.Duration;
import java.util.List;

/**
 * The options of a run.
 *
 * @param seconds duration of each single measurement, 1 to 3600
 * @param sustain seconds of the measurements at a fixed rate, 1 to 3600
 * @param connections numbers of connections, each 1 to 1000; the first is the usual one
 * @param sizes of messages in bytes, each 512 to 32 MiB
 * @param rows number of mails that expire, 1000 to 10,000,000
 */
public record Settings(int seconds, int sustain, List<Integer> connections, List<Integer> sizes, int rows) {

    /** @throws IllegalArgumentException if a value is out of bounds; the message names the option */
    public Settings {
        connections = List.copyOf(connections);
        sizes = List.copyOf(sizes);
        requireBetween("--seconds", 1, 3600, List.of(seconds));
        requireBetween("--sustain", 1, 3600, List.of(sustain));
        requireBetween("--connections", 1, 1000, connections);
        requireBetween("--sizes", 512, 32 * 1024 * 1024, sizes);
        requireBetween("--rows", 1000, 10_000_000, List.of(rows));
    }

    public Duration time() {
        return Duration.ofSeconds(seconds);
    }

    public Duration sustained() {
        return Duration.ofSeconds(sustain);
    }

    public int usualConnections() {
        return connections.getFirst();
    }

    /** Runs before each measurement, so that code is compiled and connections are open. */
    public Duration warmUp() {
        return Duration.ofMillis(Math.max(500, seconds * 500L));
    }

    private static void requireBetween(String option, int min, int max, List<Integer> values) {
        for (int value : values) {
            if (value < min || value > max) {
                throw new IllegalArgumentException(
                        option + " must be between " + min + " and " + max + ", not " + value);
            }
        }
    }
}
