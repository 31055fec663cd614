package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiError;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** How often requests were answered with an error, by its code: quota and rate limits among them. */
@Startup
@ApplicationScoped
class Refusals {

    /** Those that the promises and the alerts are about: there from the start, so that the first one is an increase. */
    private static final List<String> EXPECTED = List.of(
            "VALIDATION_ERROR",
            "UNAUTHORIZED",
            "QUOTA_EXCEEDED",
            "NOT_FOUND",
            "EXPIRED",
            "RATE_LIMITED",
            "INTERNAL_ERROR",
            "UNAVAILABLE");

    private final MeterRegistry registry;

    Refusals(MeterRegistry registry) {
        this.registry = registry;
        EXPECTED.forEach(this::counter);
    }

    void count(ApiError error) {
        counter(error.code()).increment();
    }

    private Counter counter(String code) {
        return Counter.builder("oneshot.api.refusals")
                .description("Answers with the error envelope, by its code")
                .tag("code", code)
                .register(registry);
    }
}
