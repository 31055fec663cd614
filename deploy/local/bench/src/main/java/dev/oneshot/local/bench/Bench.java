package dev.oneshot.local.bench;

import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.StackSettings;
import dev.oneshot.local.stack.StackSettings.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;

/**
 * One run.
 *
 * @param project the root of the source tree, with everything packaged
 * @param time of each single measurement
 * @param sustained time of the measurements at a fixed rate
 * @param rows number of mails that expire
 */
public record Bench(Path project, Duration time, Duration sustained, int rows) {

    /** The usual number of connections. */
    public static final int CONNECTIONS = 20;

    /**
     * How long each kind of load runs before it is measured, so that the JIT compilers have compiled most of its code. Their
     * statistics lag behind: they count a compilation when it ends, which takes seconds under load.
     */
    public static final Duration WARM_UP = Duration.ofSeconds(30);

    private static final long SEED = 42;

    /** Runs before each measurement, so that code is compiled and connections are open. */
    public Duration warmUp() {
        return time.dividedBy(2);
    }

    /** Incompressible bytes, the same in each run. */
    public static byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        new Random(SEED).nextBytes(bytes);
        return bytes;
    }

    /** Measures a load at full speed after a short warm-up. */
    public Outcome peak(Load<?> load) throws Exception {
        load.peak(warmUp());
        return load.peak(time);
    }

    /** Prints the current step of the run. */
    public void say(String line) {
        System.out.println("bench: " + line);
    }

    /** Prints a result. */
    public void add(Table table) {
        System.out.println("\n" + table.text());
    }

    /**
     * Starts a whole stack, whose data is deleted when it is closed.
     *
     * @param services settings of the services, as environment variables
     */
    public LocalStack stack(Map<String, String> services) throws IOException {
        say("starting a stack");
        Path state = Files.createTempDirectory("oneshot-bench-");
        StackSettings settings = StackSettings.onFreePorts(project, state, Option.DURABLE, Option.TEMPORARY);
        LocalStack stack = LocalStack.start(settings.with(services), _ -> {});
        Runtime.getRuntime().addShutdownHook(new Thread(stack::close));
        return stack;
    }
}
