package dev.oneshot.local.bench.start;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.system.BenchStack;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Each service as its image has it, assembled by the same script, started beside a running stack without and with its
 * AOT cache.
 */
public final class StartBenchmark {

    private static final double NANOS_IN_SECOND = 1e9;

    /** Odd, as their median is what is reported: a single start says little on a machine with neighbours. */
    private static final int STARTS = 5;

    private final Bench bench;
    private final BenchStack stack;
    private final Path directory;
    private final Table table = new Table("Start, and memory at rest");

    private StartBenchmark(Bench bench, BenchStack stack, Path directory) {
        this.bench = bench;
        this.stack = stack;
        this.directory = directory;
    }

    /** Runs it on a stack of its own. */
    public static void run(Bench bench) throws Exception {
        Path directory = Files.createTempDirectory("oneshot-bench-start-");
        try (BenchStack stack = BenchStack.start(bench, Map.of())) {
            StartBenchmark benchmark = new StartBenchmark(bench, stack, directory);
            benchmark.assemble();
            for (Service service : Service.values()) {
                benchmark.measure(service);
            }
            bench.report()
                    .add(benchmark
                            .table
                            .note("Aim with the cache: ready in under 1 s, under 150 MiB at rest.")
                            .note("Ready after: median, least and most of %d starts.".formatted(STARTS))
                            .note("At rest is %d s after readiness, with nothing to do; --sustain changes it."
                                    .formatted(bench.settings().sustain().toSeconds())));
        } finally {
            remove(directory);
        }
    }

    private void measure(Service service) throws Exception {
        Path contents = directory.resolve(service.module());
        stack.end(service);
        // Once unmeasured, so that every file is in the system's cache for both.
        start(service, contents, List.of());
        stack.end(service);
        measure(service, "without", contents, List.of());
        measure(service, "with", contents, List.of("-XX:AOTCache=app.aot", "-XX:AOTMode=on"));
        stack.start(service);
    }

    private void measure(Service service, String cache, Path contents, List<String> options) throws Exception {
        bench.say("%s %s cache".formatted(service.label(), cache));
        double[] seconds = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            if (i > 0) {
                stack.end(service);
            }
            seconds[i] = start(service, contents, options);
        }
        Arrays.sort(seconds);
        long atStart = stack.process(service).residentMib();
        Thread.sleep(bench.settings().sustain());
        table.row(
                "service",
                service.label(),
                "AOT cache",
                cache,
                "ready s",
                seconds[STARTS / 2],
                "from",
                seconds[0],
                "to",
                seconds[STARTS - 1],
                "MiB when ready",
                atStart,
                "MiB at rest",
                stack.process(service).residentMib(),
                "MiB at most",
                stack.process(service).residentPeakMib());
        stack.end(service);
    }

    /** Starts it and answers after how many seconds it was ready. */
    private double start(Service service, Path contents, List<String> options) throws InterruptedException {
        // As in an image, whose working directory is where the service lies.
        List<String> command = new ArrayList<>(List.of(
                "/bin/sh",
                "-c",
                "cd \"$0\" && exec \"$@\"",
                contents.toString(),
                java().toString(),
                "-Xmx" + stack.heap(service)));
        command.addAll(service.jvmOptions());
        command.add("@jvm-options");
        command.addAll(options);
        command.addAll(List.of("-jar", "quarkus-run.jar"));
        long begin = System.nanoTime();
        stack.start(service, command);
        Readiness.await(stack.managementPort(service));
        return (System.nanoTime() - begin) / NANOS_IN_SECOND;
    }

    private void assemble() throws IOException, InterruptedException {
        bench.say("recording the caches");
        List<String> train = new ArrayList<>(List.of("train", java().toString()));
        for (Service service : Service.values()) {
            Path contents = directory.resolve(service.module());
            assemble(List.of("contents", service.module(), contents.toString()));
            train.add(service.module() + "=" + contents);
        }
        assemble(train);
    }

    private void assemble(List<String> arguments) throws IOException, InterruptedException {
        Path log = directory.resolve("assemble.log");
        List<String> command = new ArrayList<>(
                List.of(bench.project().resolve("deploy/images/assemble").toString()));
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        if (builder.start().waitFor() != 0) {
            throw new IOException("cannot assemble images:\n" + Files.readString(log));
        }
    }

    private static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
