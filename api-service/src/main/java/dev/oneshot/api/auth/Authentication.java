package dev.oneshot.api.auth;

import dev.oneshot.api.account.ApiKey;
import dev.oneshot.api.account.KeyRing;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.error.ApiException.Kind;
import dev.oneshot.api.http.ClientNetwork;
import dev.oneshot.api.http.RequestCheck;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Optional;

/**
 * Requires a valid key, after only path and header fields are read. Every path needs one, also those that do not
 * exist, except for the description of the API and the console.
 */
@ApplicationScoped
class Authentication {

    private static final String OPENAPI_PATH = "/openapi";
    private static final String NO_KEY = "the header Authorization must be: Bearer <API_KEY>";
    private static final String TOO_MANY_KEYS = "too many invalid API keys from this address";

    private final KeyRing keys;
    private final UnknownKeys unknownKeys;

    Authentication(KeyRing keys, UnknownKeys unknownKeys) {
        this.keys = keys;
        this.unknownKeys = unknownKeys;
    }

    void filters(@Observes Filters filters) {
        RequestCheck.AUTHENTICATION.register(filters, this::authenticate);
    }

    private void authenticate(RoutingContext request) {
        if (OPENAPI_PATH.equals(request.request().path())) {
            request.next();
            return;
        }
        String token = BearerToken.of(request.request().headers().getAll("Authorization"))
                .orElseThrow(() -> ApiException.unauthorized(NO_KEY));
        ApiKey key = keys.verify(token).orElseThrow(Caller::wrongKey);
        ClientNetwork client = ClientNetwork.of(request.request().remoteAddress());
        // Anyone can guess a key without a signature.
        Optional<Duration> wait = key.isSigned() ? Optional.empty() : unknownKeys.enter(client, key.sha256());
        if (wait.isPresent()) {
            throw ApiException.of(Kind.RATE_LIMITED, TOO_MANY_KEYS, wait.get());
        }
        RequestCheck.proceed(
                request,
                keys.find(key),
                account -> {
                    if (account.isEmpty()) {
                        request.fail(Caller.wrongKey());
                        return;
                    }
                    if (!key.isSigned()) {
                        unknownKeys.wasValid(client, key.sha256());
                    }
                    Caller.put(request, account.get(), key.sha256());
                    request.next();
                },
                request::fail);
    }
}
