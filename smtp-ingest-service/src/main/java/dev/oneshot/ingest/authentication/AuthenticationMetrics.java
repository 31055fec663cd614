package dev.oneshot.ingest.authentication;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/** Counts verdicts, and how long they took. */
public final class AuthenticationMetrics {

    private final MeterRegistry registry;
    private final Timer time;
    // At most one for each method and result.
    private final ConcurrentMap<String, Counter> results = new ConcurrentHashMap<>();

    public AuthenticationMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.time = Timer.builder("oneshot.ingest.verdicts.time")
                .description("From the end of a message until its verdicts are known")
                .register(registry);
    }

    void found(Verdicts verdicts, long nanos) {
        time.record(nanos, TimeUnit.NANOSECONDS);
        verdicts.spf().forEach(spf -> count("spf", Verdicts.word(spf.result())));
        verdicts.dkim().forEach(dkim -> count("dkim", Verdicts.word(dkim.verdict())));
        if (verdicts.dkim().isEmpty()) {
            count("dkim", "none");
        }
        count("dmarc", Verdicts.word(verdicts.dmarc().verdict()));
    }

    private void count(String method, String result) {
        results.computeIfAbsent(
                        method + ' ' + result,
                        _ -> Counter.builder("oneshot.ingest.verdicts")
                                .description("Verdicts on messages, by method and result")
                                .tag("method", method)
                                .tag("result", result)
                                .register(registry))
                .increment();
    }
}
