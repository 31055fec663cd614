package dev.oneshot.ingest.authentication;

import dev.oneshot.ingest.authentication.dkim.DkimResult;
import dev.oneshot.ingest.authentication.dmarc.DmarcResult;
import dev.oneshot.ingest.authentication.spf.SpfResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
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
        // At zero from the start, so that a first one shows as an increase.
        for (SpfResult result : SpfResult.values()) {
            counter("spf", Verdicts.word(result));
        }
        for (DkimResult.Verdict result : DkimResult.Verdict.values()) {
            counter("dkim", Verdicts.word(result));
        }
        counter("dkim", "none");
        for (DmarcResult.Verdict result : DmarcResult.Verdict.values()) {
            counter("dmarc", Verdicts.word(result));
        }
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
        counter(method, result).increment();
    }

    private Counter counter(String method, String result) {
        return results.withTags("method", method, "result", result);
    }
}
