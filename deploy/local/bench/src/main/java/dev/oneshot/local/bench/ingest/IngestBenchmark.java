package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.api.ApiClient;
import dev.oneshot.local.bench.system.BenchStack;
import dev.oneshot.local.stack.Service;
import java.util.List;

/**
 * First the whole stack at a fixed rate, then ingest and the broker alone at full speed, compared with the ceilings and
 * with verdicts.
 */
public final class IngestBenchmark {

    private IngestBenchmark() {}

    /** Runs the benchmark on its own stack. */
    public static void run(Bench bench) throws Exception {
        try (BenchStack stack = BenchStack.start(bench, ApiClient.NO_LIMITS)) {
            new FixedRate(bench, stack).measure();
            // The API would only spend processor time on mail that it drops.
            for (Service service : List.of(Service.API, Service.MAILER, Service.EXPIRY)) {
                stack.end(service);
            }
            new Capacity(bench, stack).measure();
            VerdictsCost.measure(bench, stack);
        }
    }
}
