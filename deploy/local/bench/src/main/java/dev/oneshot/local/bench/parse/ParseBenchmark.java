package dev.oneshot.local.bench.parse;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** JMH over the public test messages where they are, else over made ones. */
public final class ParseBenchmark {

    private static final double OCTETS_IN_MEGABYTE = 1e6;
    private static final int ROUNDS = 3;

    private ParseBenchmark() {}

    /** Runs it in JVMs of its own. */
    @SuppressWarnings("rawtypes") // As JMH hands them out.
    public static void run(Bench bench) throws RunnerException {
        Path corpus = bench.project().resolve("../shared/corpus").normalize();
        Path directory = Files.isDirectory(corpus) ? corpus : Path.of("");
        var messages = Messages.of(directory);
        long octets = messages.stream().mapToLong(message -> message.length).sum();
        TimeValue time = TimeValue.seconds(bench.settings().seconds().toSeconds());
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
                .formatted(messages.size(), octets / OCTETS_IN_MEGABYTE));
        for (RunResult result : results) {
            double perSecond = result.getPrimaryResult().getScore();
            double allocated = 0;
            for (Map.Entry<String, Result> secondary :
                    result.getSecondaryResults().entrySet()) {
                if (secondary.getKey().endsWith("gc.alloc.rate.norm")) {
                    allocated = secondary.getValue().getScore();
                }
            }
            table.row(
                    "who", name(result),
                    "MB/s", perSecond * octets / OCTETS_IN_MEGABYTE,
                    "messages/s", perSecond * messages.size(),
                    "heap bytes a message", allocated / messages.size(),
                    "heap bytes an octet", allocated / octets,
                    "ours is faster by", ours / perSecond);
        }
        bench.report()
                .add(table.note("oneshot decodes header fields and finds every leaf; mime4jEvents decodes nothing;"
                        + " mime4jMessage keeps bodies."));
    }

    private static String name(RunResult result) {
        String label = result.getParams().getBenchmark();
        return label.substring(label.lastIndexOf('.') + 1);
    }
}
