package dev.oneshot.local.bench.start;

import dev.oneshot.local.backends.TemporaryBackends;
import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.system.BenchStack;
import dev.oneshot.local.stack.Health;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Starts each service as its image has it, next to a running stack, without and with its AOT cache. */
public final class StartBenchmark {

    /** Odd, because the median is reported. */
    private static final int STARTS = 5;

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private final Bench bench;
    private final BenchStack stack;
    private final Path directory;
    private final Table table = new Table(
            "Start, and memory at rest",
            "service | AOT cache | ready s | from | to | MiB when ready | MiB at rest | MiB at most");

    private StartBenchmark(Bench bench, BenchStack stack, Path directory) {
        this.bench = bench;
        this.stack = stack;
        this.directory = directory;
    }

    /** Runs the benchmark on its own stack. */
    public static void run(Bench bench) throws Exception {
        Path directory = Files.createTempDirectory("oneshot-bench-start-");
        try (BenchStack stack = BenchStack.start(bench, Map.of())) {
            new StartBenchmark(bench, stack, directory).measure();
        } finally {
            TemporaryBackends.delete(directory);
        }
    }

    private void measure() throws Exception {
        assemble();
        for (Service service : Service.values()) {
            stack.end(service);
            // Not measured: it loads all files into the system's cache.
            start(service, List.of());
            stack.end(service);
            measure(service, "without", List.of());
            measure(service, "with", List.of("-XX:AOTCache=app.aot", "-XX:AOTMode=on"));
            stack.start(service);
        }
        bench.add(table.note("Aim with the cache: ready in under 1 s, under 150 MiB at rest.")
                .note("Ready after: median, minimum and maximum of %d starts.".formatted(STARTS))
                .note("At rest: %d s after readiness, without load; --sustain changes it."
                        .formatted(bench.settings().sustain())));
    }

    private void measure(Service service, String cache, List<String> options) throws Exception {
        bench.say("%s %s cache".formatted(service.label(), cache));
        double[] seconds = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            if (i > 0) {
                stack.end(service);
            }
            seconds[i] = start(service, options);
        }
        Arrays.sort(seconds);
        long whenReady = stack.process(service).residentMib();
        Thread.sleep(bench.settings().sustained());
        long atRest = stack.process(service).residentMib();
        long atMost = stack.process(service).residentPeakMib();
        table.row(
                service.label(),
                cache,
                seconds[STARTS / 2],
                seconds[0],
                seconds[STARTS - 1],
                whenReady,
                atRest,
                atMost);
        stack.end(service);
    }

    /** Starts a service and returns the seconds until it is ready. */
    private double start(Service service, List<String> options) throws InterruptedException {
        // The working directory of an image is that of the service.
        List<String> command = new ArrayList<>(List.of(
                "/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", contents(service), JAVA, "-Xmx" + stack.heap(service)));
        command.addAll(service.jvmOptions());
        command.add("@jvm-options");
        command.addAll(options);
        command.addAll(List.of("-jar", "quarkus-run.jar"));
        long begin = System.nanoTime();
        stack.start(service, command);
        int management = stack.managementPort(service);
        Health.await(() -> Health.isReady(management), service.label());
        return (System.nanoTime() - begin) / 1e9;
    }

    private void assemble() throws IOException, InterruptedException {
        bench.say("recording the caches");
        List<String> train = new ArrayList<>(List.of("train", JAVA));
        for (Service service : Service.values()) {
            assemble(List.of("contents", service.module(), contents(service)));
            train.add(service.module() + "=" + contents(service));
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

    private String contents(Service service) {
        return directory.resolve(service.module()).toString();
    }
}
