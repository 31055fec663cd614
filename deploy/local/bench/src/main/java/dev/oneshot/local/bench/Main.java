package dev.oneshot.local.bench;

import dev.oneshot.local.bench.api.ApiBenchmark;
import dev.oneshot.local.bench.expiry.ExpiryBenchmark;
import dev.oneshot.local.bench.ingest.IngestBenchmark;
import dev.oneshot.local.bench.ingest.PathBenchmark;
import dev.oneshot.local.bench.send.SendBenchmark;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.NullUnmarked;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./oneshot bench}. */
@Command(
        name = "./oneshot bench",
        synopsisHeading = "usage: ",
        customSynopsis = "./oneshot bench [BENCHMARK...] [OPTION VALUE...]",
        sortOptions = false,
        usageHelpAutoWidth = true,
        footer =
                "%nEach run starts its own stack on free ports and removes it at the end. Compare ratios within one run.")
@NullUnmarked // picocli sets the fields.
public final class Main implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", hidden = true)
    private Path project;

    @Parameters(
            index = "1..*",
            paramLabel = "BENCHMARK",
            description = {
                "all by default:",
                "path: starting services; receiving mail, from the connection to status received; with one ceiling",
                "ingest: receiving mail over SMTP, with two ceilings",
                "api: creating, polling and listing addresses, with two ceilings",
                "send: from the request to the relay's 250, with two ceilings",
                "expiry: deleting expired mail, by row and by partition"
            })
    private final Set<Benchmark> benchmarks = new LinkedHashSet<>();

    @Option(names = "--seconds", defaultValue = "3", description = "seconds of each single measurement (3)")
    private int seconds;

    @Option(names = "--sustain", defaultValue = "10", description = "seconds of the measurements at a fixed rate (10)")
    private int sustain;

    @Option(names = "--rows", defaultValue = "200000", description = "number of mails that expire (200000)")
    private int rows;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "this text")
    private boolean unusedHelp;

    private Main() {}

    enum Benchmark {
        PATH,
        INGEST,
        API,
        SEND,
        EXPIRY;

        void run(Bench bench) throws Exception {
            bench.say(name().toLowerCase(Locale.ROOT));
            switch (this) {
                case PATH -> PathBenchmark.run(bench);
                case INGEST -> IngestBenchmark.run(bench);
                case API -> ApiBenchmark.run(bench);
                case SEND -> SendBenchmark.run(bench);
                case EXPIRY -> ExpiryBenchmark.run(bench);
            }
        }
    }

    /** Runs the benchmarks, then ends the JVM, even if clients of the stack have left threads. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public Integer call() throws Exception {
        Bench bench = bench();
        for (Benchmark benchmark : benchmarks.isEmpty() ? EnumSet.allOf(Benchmark.class) : benchmarks) {
            benchmark.run(bench);
        }
        return 0;
    }

    /** The options as they were given. */
    Bench bench() {
        requireBetween("--seconds", 1, 3600, seconds);
        requireBetween("--sustain", 1, 3600, sustain);
        requireBetween("--rows", 1000, 10_000_000, rows);
        return new Bench(
                project.toAbsolutePath().normalize(), Duration.ofSeconds(seconds), Duration.ofSeconds(sustain), rows);
    }

    private void requireBetween(String option, int min, int max, int value) {
        if (value < min || value > max) {
            throw new ParameterException(
                    spec.commandLine(), option + " must be between " + min + " and " + max + ", not " + value);
        }
    }
}
