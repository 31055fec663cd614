package dev.oneshot.ingest.authentication;

import dev.oneshot.authentication.dkim.DkimResult;
import dev.oneshot.authentication.dmarc.DmarcResult;
import dev.oneshot.authentication.spf.SpfResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Counts verdicts, and how long they took. */
public final class AuthenticationMetrics {

    private final Timer time;
    private final MeterProvider<Counter> results;

    public AuthenticationMetrics(MeterRegistry registry) {
        this.results = Counter.builder("oneshot.ingest.verdicts")
                .description("Verdicts on messages, by method and result")
                .withRegistry(registry);
        this.time = Timer.builder("oneshot.ingest.verdicts.time")
                .description("From the end of a message until its verdicts are known")
                .register(registry);
        // Registered at zero, so that the first one shows as an increase.
        List.of(SpfResult.values()).forEach(result -> counter("spf", result));
        List.of(DkimResult.Verdict.values()).forEach(result -> counter("dkim", result));
        List.of(DmarcResult.Verdict.values()).forEach(result -> counter("dmarc", result));
    }

    void found(Verdicts verdicts, long nanos) {
        time.record(nanos, TimeUnit.NANOSECONDS);
        verdicts.spf().forEach(spf -> counter("spf", spf.result()).increment());
        verdicts.dkim().forEach(dkim -> counter("dkim", dkim.verdict()).increment());
        counter("dmarc", verdicts.dmarc().verdict()).increment();
    }

    private Counter counter(String method, Enum<?> result) {
        return results.withTags("method", method, "result", Verdicts.word(result));
    }
}
