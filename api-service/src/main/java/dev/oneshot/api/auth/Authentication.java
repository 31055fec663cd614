package dev.oneshot.api.auth;

import dev.oneshot.api.account.Account;
import dev.oneshot.api.account.ApiKey;
import dev.oneshot.api.account.Caller;
import dev.oneshot.api.account.KeyRing;
import dev.oneshot.api.account.Plans;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.idempotency.Idempotency;
import dev.oneshot.api.request.RequestCheck;
import dev.oneshot.api.request.RequestPath;
import dev.oneshot.api.request.RequestState;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Requires a valid key, after only path and header fields are read. Every path needs one, also those that do not
 * exist, except for the description of the API and the console.
 */
@ApplicationScoped
class Authentication {

    private static final String OPENAPI_PATH = "/openapi";
    private static final String API_KEY_PATH = "/v1/account/api-key";
    private static final String NO_KEY = "the header Authorization must be: Bearer <API_KEY>";

    private final KeyRing keys;
    private final Plans plans;

    Authentication(KeyRing keys, Plans plans) {
        this.keys = keys;
        this.plans = plans;
    }

    void filters(@Observes Filters filters) {
        RequestCheck.AUTHENTICATION.register(filters, this::authenticate);
    }

    private void authenticate(RoutingContext request) {
        if (OPENAPI_PATH.equals(RequestPath.of(request.request()))) {
            request.next();
            return;
        }
        String token = BearerToken.of(request.request().headers().getAll("Authorization"))
                .orElseThrow(() -> ApiException.unauthorized(NO_KEY));
        ApiKey key = keys.verify(token).orElseThrow(Caller::wrongKey);
        RequestCheck.proceed(
                request,
                account(request, key),
                account -> {
                    if (account.isEmpty()) {
                        request.fail(Caller.wrongKey());
                        return;
                    }
                    admit(request, account.get(), key);
                    request.next();
                },
                request::fail);
    }

    /** The old key still opens the repetition of the request that has replaced it. */
    private CompletableFuture<Optional<Account>> account(RoutingContext request, ApiKey key) {
        HttpServerRequest http = request.request();
        List<String> retry = http.headers().getAll(Idempotency.HEADER);
        return http.method().equals(HttpMethod.POST) && API_KEY_PATH.equals(RequestPath.of(http)) && retry.size() == 1
                ? keys.findToReplace(key, retry.getFirst())
                : keys.find(key);
    }

    private void admit(RoutingContext request, Account account, ApiKey key) {
        RequestState.of(request).authenticated(new Caller.Authenticated(account, key, plans.of(account)));
    }
}
