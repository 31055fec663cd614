package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.api.ApiClient;
import dev.oneshot.local.bench.system.BenchStack;
import dev.oneshot.local.stack.Service;
import java.util.List;

/** First the whole stack at fixed rates, then ingest and the broker alone as fast as they go, beside the ceilings. */
public final class IngestBenchmark {

    private IngestBenchmark() {}

    /** Runs it on a stack of its own. */
    public static void run(Bench bench) throws Exception {
        try (BenchStack stack = BenchStack.start(bench, ApiClient.NO_LIMITS)) {
            FixedRate fixed = new FixedRate(bench, stack);
            fixed.warmUp();
            // The brisk rate first, so that the compilers have done most of their work before latencies are measured.
            fixed.sustained();
            fixed.latencies();
            // What follows is about ingest: the API would only take processor time for mail that it drops.
            for (Service service : List.of(Service.API, Service.MAILER, Service.EXPIRY)) {
                stack.end(service);
            }
            new Capacity(bench, stack).measure();
        }
    }
}
