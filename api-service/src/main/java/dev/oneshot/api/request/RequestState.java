package dev.oneshot.api.request;

import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The state of a request: its id, its caller, the digest of its body, and its end. */
public final class RequestState {

    /** The header field of requests and responses with the id. */
    static final String ID_HEADER = "X-Request-Id";

    private static final String KEY = RequestState.class.getName();
    private static final Pattern SANE_ID = Pattern.compile("[!-~]{1,128}");

    private final String id;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private @Nullable Caller caller;
    private byte @Nullable [] bodySha256;

    /** The account that authenticated, and what its plan allows. */
    public interface Caller {

        UUID accountId();

        /** The largest body that the plan can use. */
        long bodyBytesMax();

        String planName();
    }

    private RequestState(String id) {
        this.id = id;
    }

    /** Begins a request. To be called on its event loop, before all other handlers. */
    public static RequestState begin(RoutingContext request) {
        String sent = request.request().getHeader(ID_HEADER);
        RequestState state = new RequestState(
                sent != null && SANE_ID.matcher(sent).matches()
                        ? sent
                        : UUID.randomUUID().toString().replace("-", ""));
        request.put(KEY, state);
        request.addHeadersEndHandler(_ -> request.response().putHeader(ID_HEADER, state.id));
        request.addEndHandler(_ -> state.end.complete(null));
        return state;
    }

    /** Whether {@link #begin} was called. */
    public static boolean isBegun(RoutingContext request) {
        return request.get(KEY) != null;
    }

    /** The state of a request that has begun. */
    public static RequestState of(RoutingContext request) {
        RequestState state = request.get(KEY);
        return Objects.requireNonNull(state, "the request has not passed RequestFilters");
    }

    /** The id of the request in the logs: the client's, if it sent a valid one, otherwise a random one. */
    public String id() {
        return id;
    }

    /** The account that authenticated; empty for a request without authentication. */
    public Optional<Caller> caller() {
        return Optional.ofNullable(caller);
    }

    public void authenticated(Caller authenticated) {
        caller = authenticated;
    }

    /** SHA-256 of the body, which has been read; of no bytes without an {@code Idempotency-Key}. */
    public byte[] bodySha256() {
        return Objects.requireNonNull(bodySha256, "the body has not been read");
    }

    /** To be called when the body has been read. */
    public void bodyRead(byte[] sha256) {
        bodySha256 = sha256;
    }

    /**
     * Runs an action when the response is sent or the client has disconnected, or at once if that has happened; on any thread. The
     * action must neither block nor fail.
     */
    public void atEnd(Runnable action) {
        var _ = end.thenRun(action);
    }
}
