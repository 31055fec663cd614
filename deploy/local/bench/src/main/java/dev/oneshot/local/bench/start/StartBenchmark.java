package dev.oneshot.local.bench.start;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.system.BenchStack;
import dev.oneshot.local.bench.system.ImageContents;
import dev.oneshot.local.stack.Health;
import dev.oneshot.local.stack.Service;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Starts each service as its image has it, next to a running stack, without and with its AOT cache. */
public final class StartBenchmark {

    /** Odd, because the median is reported. */
    private static final int STARTS = 5;

    private final Bench bench;
    private final BenchStack stack;
    private final ImageContents images;
    private final Table table = new Table(
            "Start, and memory at rest",
            "service | AOT cache | ready s | from | to | MiB when ready | MiB at rest | MiB at most");

    private StartBenchmark(Bench bench, BenchStack stack, ImageContents images) {
        this.bench = bench;
        this.stack = stack;
        this.images = images;
    }

    /** Runs the benchmark on its own stack. */
    public static void run(Bench bench) throws Exception {
        try (ImageContents images = ImageContents.assemble(bench);
                BenchStack stack = BenchStack.start(bench, Map.of())) {
            new StartBenchmark(bench, stack, images).measure();
        }
    }

    private void measure() throws Exception {
        for (Service service : Service.values()) {
            stack.end(service);
            // Not measured: it loads all files into the system's cache.
            start(service, List.of());
            stack.end(service);
            measure(service, "without", List.of());
            measure(service, "with", ImageContents.CACHE);
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
        long begin = System.nanoTime();
        stack.start(service, images.command(service, stack.heap(service), options));
        int management = stack.managementPort(service);
        Health.await(() -> Health.isReady(management), service.label());
        return (System.nanoTime() - begin) / 1e9;
    }
}
