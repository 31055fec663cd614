package dev.oneshot.ingest.authentication;

import dev.oneshot.authentication.dkim.DkimResult;
import dev.oneshot.authentication.dmarc.DmarcResult;
import dev.oneshot.authentication.spf.SpfResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Counts verdicts, and how long they took. */
public final class AuthenticationMetrics {

    private final Timer time;
    private final Map<Enum<?>, Counter> results = new HashMap<>();

    public AuthenticationMetrics(MeterRegistry registry) {
        this.time = Timer.builder("oneshot.ingest.verdicts.time")
                .description("From the end of a message until its verdicts are known")
                .register(registry);
        register(registry, "spf", SpfResult.values());
        register(registry, "dkim", DkimResult.Verdict.values());
        register(registry, "dmarc", DmarcResult.Verdict.values());
    }

    void found(Verdicts verdicts, long nanos) {
        time.record(nanos, TimeUnit.NANOSECONDS);
        verdicts.spf().forEach(spf -> count(spf.result()));
        verdicts.dkim().forEach(dkim -> count(dkim.verdict()));
        count(verdicts.dmarc().verdict());
    }

    private void count(Enum<?> result) {
        Objects.requireNonNull(results.get(result)).increment();
    }

    private void register(MeterRegistry registry, String method, Enum<?>[] all) {
        for (Enum<?> result : all) {
            Counter counter = Counter.builder("oneshot.ingest.verdicts")
                    .description("Verdicts on messages, by method and result")
                    .tags("method", method, "result", Verdicts.word(result))
                    .register(registry);
            results.put(result, counter);
        }
    }
}
