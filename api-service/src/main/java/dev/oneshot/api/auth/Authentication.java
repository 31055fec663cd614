package dev.oneshot.api.auth;

import dev.oneshot.api.account.Account;
import dev.oneshot.api.account.ApiKey;
import dev.oneshot.api.account.KeyRing;
import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.http.ClientNetwork;
import dev.oneshot.api.http.ErrorResponses;
import dev.oneshot.api.http.RequestCheck;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Requires a valid key, after only path and header fields are read. Every path needs one, also those that do not
 * exist, except for the description of the API and the console.
 */
@ApplicationScoped
class Authentication {

    private static final String OPENAPI_PATH = "/openapi";
    private static final ApiError NO_KEY = ApiError.unauthorized("the header Authorization must be: Bearer <API_KEY>");
    private static final ApiError WRONG_KEY = ApiError.unauthorized("the API key is not valid");
    private static final String TOO_MANY_KEYS = "too many invalid API keys from this address";

    private final ApiKeys apiKeys;
    private final KeyRing keys;
    private final UnknownKeys unknownKeys;
    private final ErrorResponses errors;

    Authentication(ApiKeys apiKeys, KeyRing keys, UnknownKeys unknownKeys, ErrorResponses errors) {
        this.apiKeys = apiKeys;
        this.keys = keys;
        this.unknownKeys = unknownKeys;
        this.errors = errors;
    }

    void filters(@Observes Filters filters) {
        RequestCheck.AUTHENTICATION.register(filters, this::authenticate);
    }

    private void authenticate(RoutingContext request) {
        if (OPENAPI_PATH.equals(request.request().path())) {
            request.next();
            return;
        }
        Optional<String> token = BearerToken.of(request.request().headers().getAll("Authorization"));
        if (token.isEmpty()) {
            errors.refuse(request, NO_KEY);
            return;
        }
        Optional<ApiKey> key = apiKeys.verify(token.get());
        if (key.isEmpty()) {
            errors.refuse(request, WRONG_KEY);
        } else if (key.get().isSigned() || keys.isKnown(key.get())) {
            proceedWith(request, key.get(), keys.find(key.get()));
        } else {
            lookUpUnsigned(request, key.get());
        }
    }

    /** Anyone can guess a key without a signature. */
    private void lookUpUnsigned(RoutingContext request, ApiKey key) {
        ClientNetwork client = ClientNetwork.of(request.request().remoteAddress());
        Optional<Duration> wait = unknownKeys.enter(client, key.sha256());
        if (wait.isPresent()) {
            errors.refuse(request, ApiError.rateLimited(TOO_MANY_KEYS, wait.get()));
            return;
        }
        proceedWith(request, key, keys.find(key).thenApply(account -> {
            account.ifPresent(found -> unknownKeys.wasValid(client, key.sha256()));
            return account;
        }));
    }

    private void proceedWith(RoutingContext request, ApiKey key, CompletableFuture<Optional<Account>> account) {
        RequestCheck.proceed(
                request, account, found -> proceed(request, key, found), failure -> errors.fail(request, failure));
    }

    private void proceed(RoutingContext request, ApiKey key, Optional<Account> account) {
        if (account.isPresent()) {
            Caller.put(request, account.get(), key.sha256());
            request.next();
        } else {
            errors.refuse(request, WRONG_KEY);
        }
    }
}
