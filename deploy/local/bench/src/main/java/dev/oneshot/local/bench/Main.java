package dev.oneshot.local.bench;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** {@code ./oneshot bench}. */
public final class Main {

    private static final int USAGE = 2;

    /** Kept from the garbage collector, which would forget its level: a client of Kafka says much about itself. */
    private static final Logger KAFKA = Logger.getLogger("org.apache.kafka");

    private Main() {}

    /**
     * Runs benchmarks one after another.
     *
     * @param arguments the root of the source tree, then what was typed after {@code bench}
     */
    public static void main(String[] arguments) throws Exception {
        KAFKA.setLevel(Level.WARNING);
        List<String> words = Arrays.asList(arguments).subList(1, arguments.length);
        if (words.contains("--help") || words.contains("-h")) {
            System.out.print(Arguments.help());
            return;
        }
        try {
            run(Path.of(arguments[0]).toAbsolutePath().normalize(), Arguments.parse(words));
        } catch (UsageException e) {
            System.err.println("oneshot: " + e.getMessage() + "\n\n" + Arguments.help());
            System.exit(USAGE);
        }
        // Clients of what was measured may have left threads that do not end the JVM by themselves.
        System.exit(0);
    }

    private static void run(Path project, Arguments arguments) throws Exception {
        Report report = new Report(Instant.now());
        report.about(
                "machine",
                "%s %s, %d processors, Java %s"
                        .formatted(
                                System.getProperty("os.name"),
                                System.getProperty("os.arch"),
                                Runtime.getRuntime().availableProcessors(),
                                Runtime.version()));
        report.about("settings", arguments.settings().toString());
        Bench bench = new Bench(project, arguments.settings(), report);
        for (Benchmark benchmark : arguments.benchmarks()) {
            bench.say(benchmark.word() + ": " + benchmark.purpose());
            benchmark.run(bench);
        }
        bench.say("written to " + report.write(project.resolve(".oneshot/bench")));
    }
}
