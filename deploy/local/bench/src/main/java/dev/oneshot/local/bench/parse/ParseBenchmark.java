package dev.oneshot.local.bench.parse;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.ingest.Letter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** JMH on the public test messages if they are next to the project, otherwise on generated ones. */
public final class ParseBenchmark {

    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final int ROUNDS = 3;

    private ParseBenchmark() {}

    /** Runs the benchmark in its own JVMs. */
    public static void run(Bench bench) throws IOException, RunnerException {
        Path directory = bench.project().resolve("../shared/corpus").normalize();
        List<byte[]> messages = messages(directory);
        long bytes = messages.stream().mapToLong(message -> message.length).sum();
        TimeValue time = TimeValue.seconds(bench.settings().seconds());
        Options options = new OptionsBuilder()
                .include(StructureReading.class.getSimpleName())
                .param("directory", directory.toString())
                .forks(1)
                .warmupIterations(ROUNDS)
                .warmupTime(time)
                .measurementIterations(ROUNDS)
                .measurementTime(time)
                .addProfiler(GCProfiler.class)
                .jvmArgsAppend("-Xmx1g")
                .verbosity(VerboseMode.SILENT)
                .build();
        Collection<RunResult> results = new Runner(options).run();
        double ours = results.stream()
                .filter(result -> name(result).equals("oneshot"))
                .mapToDouble(result -> result.getPrimaryResult().getScore())
                .sum();
        Table table = new Table("Reading the structure of %,d messages, %.1f MB"
                .formatted(messages.size(), bytes / BYTES_PER_MEGABYTE));
        for (RunResult result : results) {
            double perSecond = result.getPrimaryResult().getScore();
            double allocated = result.getSecondaryResults().values().stream()
                    .filter(secondary -> secondary.getLabel().endsWith("gc.alloc.rate.norm"))
                    .mapToDouble(secondary -> secondary.getScore())
                    .sum();
            table.row(
                    "who", name(result),
                    "MB/s", perSecond * bytes / BYTES_PER_MEGABYTE,
                    "messages/s", perSecond * messages.size(),
                    "heap bytes a message", allocated / messages.size(),
                    "heap bytes a byte", allocated / bytes,
                    "ours is faster by", ours / perSecond);
        }
        bench.add(table.note("oneshot decodes header fields and finds every leaf; mime4jEvents decodes nothing;"
                + " mime4jMessage keeps bodies."));
    }

    /** All {@code .eml} files below the directory, or messages of 2 KB to 1 MB if there are none. */
    static List<byte[]> messages(Path directory) throws IOException {
        List<byte[]> messages = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.filter(path -> path.toString().endsWith(".eml"))
                        .sorted()
                        .toList()) {
                    messages.add(Files.readAllBytes(file));
                }
            }
        }
        return messages.isEmpty()
                ? Stream.of(2_000, 10_000, 100_000, 1_000_000)
                        .map(Letter::content)
                        .toList()
                : messages;
    }

    private static String name(RunResult result) {
        String label = result.getParams().getBenchmark();
        return label.substring(label.lastIndexOf('.') + 1);
    }
}
