package dev.oneshot.api.ratelimit;

import dev.oneshot.api.account.Account;
import dev.oneshot.api.account.Caller;
import dev.oneshot.api.account.Plan;
import dev.oneshot.api.account.Plans;
import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.http.ErrorAnswers;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Lets an authenticated request go on only at the rate of its account, and tells the client where it stands: the
 * fields {@code RateLimit-Policy} and {@code RateLimit} of draft-ietf-httpapi-ratelimit-headers-10 on every answer.
 */
@ApplicationScoped
class RateLimiting {

    /** After authentication, before everything that looks at the request. */
    private static final int PRIORITY = 8_000;

    private final RateLimiter limiter;
    private final Plans plans;
    private final ErrorAnswers answers;
    private final Vertx vertx;

    RateLimiting(RateLimiter limiter, Plans plans, ErrorAnswers answers, Vertx vertx) {
        this.limiter = limiter;
        this.plans = plans;
        this.answers = answers;
        this.vertx = vertx;
    }

    void filters(@Observes Filters filters) {
        filters.register(this::limit, PRIORITY);
    }

    private void limit(RoutingContext request) {
        Optional<Account> caller = Caller.of(request);
        if (caller.isEmpty()) {
            request.next();
            return;
        }
        Plan plan = plans.of(caller.get());
        Rate rate = new Rate(plan.requestsPerSecond(), plan.burst());
        CompletableFuture<Verdict> verdict = limiter.take(caller.get().id(), rate);
        if (verdict.isDone()) {
            goOn(request, rate, verdict);
        } else {
            waitFor(request, rate, verdict);
        }
    }

    private void waitFor(RoutingContext request, Rate rate, CompletableFuture<Verdict> verdict) {
        Context context = vertx.getOrCreateContext();
        request.request().pause();
        var _ = verdict.whenComplete((answer, failure) -> context.runOnContext(now -> {
            request.request().resume();
            goOn(request, rate, verdict);
        }));
    }

    private void goOn(RoutingContext request, Rate rate, CompletableFuture<Verdict> answer) {
        Verdict verdict;
        try {
            verdict = answer.join();
        } catch (CompletionException e) {
            tell(request, rate, 0, Duration.ofSeconds(1));
            @Nullable Throwable cause = e.getCause();
            answers.fail(request, cause == null ? e : cause);
            return;
        }
        switch (verdict) {
            case Verdict.Admitted admitted -> {
                tell(request, rate, admitted.remaining(), rate.timeFor(rate.burst() - admitted.remaining()));
                request.next();
            }
            case Verdict.Refused refused -> {
                tell(request, rate, 0, refused.retryAfter());
                answers.refuse(
                        request,
                        ApiError.rateLimited(
                                "the plan allows %d requests a second".formatted(rate.perSecond()),
                                refused.retryAfter()));
            }
        }
    }

    /** The quota is the burst, its window the time in which all of it comes back: together they are the rate. */
    private static void tell(RoutingContext request, Rate rate, long remaining, Duration reset) {
        HttpServerResponse response = request.response();
        response.putHeader(
                "RateLimit-Policy", "\"account\";q=" + rate.burst() + ";w=" + wholeSeconds(rate.timeFor(rate.burst())));
        response.putHeader("RateLimit", "\"account\";r=" + remaining + ";t=" + wholeSeconds(reset));
    }

    private static long wholeSeconds(Duration duration) {
        return Math.max(
                1, Math.ceilDiv(duration.toNanos(), Duration.ofSeconds(1).toNanos()));
    }
}
