package dev.oneshot.api.account;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.idempotency.Idempotency;
import dev.oneshot.api.request.RequestState;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.RequestScoped;
import java.util.Optional;
import java.util.UUID;

/** The account that makes the current request. */
@RequestScoped
public class Caller {

    private final RoutingContext request;

    Caller(RoutingContext request) {
        this.request = request;
    }

    /** The account that authenticated, its key and its plan. */
    public record Authenticated(Account account, ApiKey key, Plan plan) implements RequestState.Caller {

        @Override
        public UUID accountId() {
            return account.id();
        }

        @Override
        public long bodyBytesMax() {
            return plan.bodyBytesMax();
        }

        @Override
        public String planName() {
            return plan.name();
        }
    }

    /** The account that authenticated a request; empty for a request without authentication. */
    public static Optional<Authenticated> of(RoutingContext request) {
        return RequestState.of(request).caller().map(Authenticated.class::cast);
    }

    public Account account() {
        return authenticated().account();
    }

    public ApiKey key() {
        return authenticated().key();
    }

    /**
     * The {@code Idempotency-Key} of the request, whose body has been read; empty if it has none.
     *
     * @throws ApiException 400 if it is malformed
     */
    public Optional<Idempotency.Key> idempotencyKey() {
        return Idempotency.Key.of(account().id(), request);
    }

    /** The error for a key that no account has, or no longer has. */
    public static ApiException wrongKey() {
        return ApiException.unauthorized("the API key is not valid");
    }

    /** The error if the account has been deleted since authentication. */
    public static ApiException gone() {
        return ApiException.unauthorized("the account is gone");
    }

    private Authenticated authenticated() {
        return of(request).orElseThrow(() -> new IllegalStateException("a request without a key reached a resource"));
    }
}
