package dev.oneshot.local.bench.system;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * What comes before a measurement: the same load in turns, until in one of them the compilers of the servers' JVMs did
 * next to nothing. At work they take a processor from what is measured, for as long as the code has not been called
 * enough.
 */
public final class WarmUp {

    /** How long a turn of the load should take. */
    public static final Duration TURN = Duration.ofSeconds(5);

    private static final int TURNS_MAX = 12;
    private static final double COMPILING_MAX = 0.1;

    private WarmUp() {}

    /** The load, for about {@link #TURN}. */
    @FunctionalInterface
    public interface Turn {
        void take() throws Exception;
    }

    /** Takes turns until the compilers of all servers together worked less than a tenth of one, or a minute is over. */
    public static void of(Turn turn, List<MeasuredProcess> servers) throws Exception {
        double compiling = 1;
        for (int turns = 0; turns < TURNS_MAX && compiling > COMPILING_MAX; turns++) {
            Duration before = compilationTime(servers);
            turn.take();
            compiling = compilationTime(servers).minus(before).toMillis() / (double) TURN.toMillis();
        }
    }

    private static Duration compilationTime(List<MeasuredProcess> servers) throws IOException {
        Duration all = Duration.ZERO;
        for (MeasuredProcess server : servers) {
            all = all.plus(server.compilationTime());
        }
        return all;
    }
}
