package dev.oneshot.api.ratelimit;

import dev.oneshot.api.account.Caller;
import dev.oneshot.api.account.Plan;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.error.ApiException.Kind;
import dev.oneshot.api.ratelimit.AccountTokens.Rate;
import dev.oneshot.api.ratelimit.AccountTokens.Verdict;
import dev.oneshot.api.request.RequestCheck;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Optional;

/**
 * Admits authenticated requests at the rate of their account. Every response has the header fields
 * {@code RateLimit-Policy} and {@code RateLimit} of draft-ietf-httpapi-ratelimit-headers-10.
 */
@ApplicationScoped
class RateLimiting {

    private final TokenBuckets buckets;

    RateLimiting(TokenBuckets buckets) {
        this.buckets = buckets;
    }

    void filters(@Observes Filters filters) {
        RequestCheck.RATE.register(filters, this::limit);
    }

    private void limit(RoutingContext request) {
        Optional<Caller.Authenticated> caller = Caller.of(request);
        if (caller.isEmpty()) {
            request.next();
            return;
        }
        Plan plan = caller.get().plan();
        Rate rate = new Rate(plan.requestsPerSecond(), plan.burst());
        RequestCheck.proceed(
                request,
                buckets.spend(caller.get().accountId(), rate),
                verdict -> proceed(request, rate, verdict),
                failure -> {
                    putFields(request, rate, 0, Duration.ofSeconds(1));
                    request.fail(failure);
                });
    }

    private void proceed(RoutingContext request, Rate rate, Verdict verdict) {
        switch (verdict) {
            case Verdict.Admitted admitted -> {
                putFields(request, rate, admitted.remaining(), rate.timeFor(rate.burst() - admitted.remaining()));
                request.next();
            }
            case Verdict.Refused refused -> {
                putFields(request, rate, 0, refused.retryAfter());
                request.fail(ApiException.of(
                        Kind.RATE_LIMITED,
                        "the plan allows %d requests a second".formatted(rate.perSecond()),
                        refused.retryAfter()));
            }
        }
    }

    /** The quota is the burst, its window the time in which all of it comes back: together they are the rate. */
    private static void putFields(RoutingContext request, Rate rate, long remaining, Duration reset) {
        HttpServerResponse response = request.response();
        response.putHeader(
                "RateLimit-Policy",
                "\"account\";q=" + rate.burst() + ";w=" + ApiException.wholeSeconds(rate.timeFor(rate.burst())));
        response.putHeader("RateLimit", "\"account\";r=" + remaining + ";t=" + ApiException.wholeSeconds(reset));
    }
}
