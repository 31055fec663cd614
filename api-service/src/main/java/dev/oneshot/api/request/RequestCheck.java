package dev.oneshot.api.request;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The checks in front of the resources, in their order. After them come the body (413, 415, 400), its values (400), the
 * {@code Idempotency-Key} (409, 422), the plan (422) and the quota (402).
 */
public enum RequestCheck {
    /** No check: decides about compression before anything responds. */
    COMPRESSION(7_000),
    /** No check: waits while the write queue of the connection is full. */
    UNREAD(6_500),
    /** Assigns the request id and rejects a body without a known end (501). */
    FRAMING(6_000),
    /** Handles preflights of browsers, which have no key. */
    CROSS_ORIGIN(5_000),
    /** No check: the console, which needs no key. */
    CONSOLE(4_500),
    /** The API key (401). */
    AUTHENTICATION(4_000),
    /** The rate of the account (429). */
    RATE(3_000),
    /** The sizes and the form of URI and header fields (400, 413, 414, 431). */
    BOUNDS(2_000),
    /** The path and the method (404, 405). */
    PATH(1_000),
    /** The type of a body that was declared (415). */
    CONTENT_TYPE(980),
    /** The declared length of the body (422). */
    BODY_BOUND(950),
    /** Receives a small body (408). */
    SMALL_BODY(900),
    /** Whether the client refuses JSON (406). JAX-RS checks the types that it accepts. */
    ACCEPT(890);

    /** The order on the management port: framing, then the operator's token (401), then the bounds. Lower ones are earlier. */
    public static final int MANAGEMENT_FRAMING = 100;

    public static final int MANAGEMENT_TOKEN = 200;
    public static final int MANAGEMENT_BOUNDS = 300;

    /** Higher ones are earlier. All are above those of Quarkus's own filters. */
    private final int priority;

    RequestCheck(int priority) {
        this.priority = priority;
    }

    /** Runs a handler at this point for every request to the public port. */
    public void register(Filters filters, Handler<RoutingContext> handler) {
        filters.register(handler, priority);
    }

    /** Continues a request with a result on the request's event loop, at once if the result is there. */
    public static <T> void proceed(
            RoutingContext request, CompletableFuture<T> result, Consumer<T> next, Consumer<Throwable> failed) {
        if (result.isDone()) {
            finish(result, next, failed);
            return;
        }
        Context context = request.vertx().getOrCreateContext();
        request.request().pause();
        var _ = result.whenComplete((_, _) -> context.runOnContext(_ -> {
            request.request().resume();
            finish(result, next, failed);
        }));
    }

    private static <T> void finish(CompletableFuture<T> result, Consumer<T> next, Consumer<Throwable> failed) {
        if (result.isCompletedExceptionally()) {
            failed.accept(result.exceptionNow());
        } else {
            next.accept(result.resultNow());
        }
    }
}
