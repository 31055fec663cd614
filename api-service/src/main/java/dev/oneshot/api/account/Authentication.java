package dev.oneshot.api.account;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.http.BearerToken;
import dev.oneshot.api.http.ClientNetwork;
import dev.oneshot.api.http.ErrorAnswers;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Lets a request in only with a valid key, before anything of it is looked at but its path and header. Everything needs
 * a key, also what does not exist; the one exception is the description of the interface.
 */
@ApplicationScoped
class Authentication {

    /** After the request id, before everything else. */
    private static final int PRIORITY = 9_000;

    private static final String OPENAPI_PATH = "/openapi";
    private static final ApiError NO_KEY = ApiError.unauthorized("the header Authorization must be: Bearer <API_KEY>");
    private static final ApiError WRONG_KEY = ApiError.unauthorized("the API key is not valid");
    private static final String TOO_MANY_KEYS = "too many API keys from this address that are not valid";

    private final ApiKeys apiKeys;
    private final KeyRing keys;
    private final UnknownKeys unknownKeys;
    private final ErrorAnswers answers;
    private final Vertx vertx;

    Authentication(ApiKeys apiKeys, KeyRing keys, UnknownKeys unknownKeys, ErrorAnswers answers, Vertx vertx) {
        this.apiKeys = apiKeys;
        this.keys = keys;
        this.unknownKeys = unknownKeys;
        this.answers = answers;
        this.vertx = vertx;
    }

    void filters(@Observes Filters filters) {
        filters.register(this::authenticate, PRIORITY);
    }

    private void authenticate(RoutingContext request) {
        if (OPENAPI_PATH.equals(request.request().path())) {
            request.next();
            return;
        }
        Optional<String> token = BearerToken.of(request.request().headers().getAll("Authorization"));
        if (token.isEmpty()) {
            answers.refuse(request, NO_KEY);
            return;
        }
        Optional<ApiKey> key = apiKeys.verify(token.get());
        if (key.isEmpty()) {
            answers.refuse(request, WRONG_KEY);
        } else if (key.get().isSigned() || keys.isKnown(key.get())) {
            goOnWith(request, key.get(), keys.find(key.get()));
        } else {
            lookUpUnsigned(request, key.get());
        }
    }

    /** Anyone can guess a key without a signature. */
    private void lookUpUnsigned(RoutingContext request, ApiKey key) {
        ClientNetwork client = ClientNetwork.of(request.request().remoteAddress());
        Optional<Duration> wait = unknownKeys.enter(client, key.sha256());
        if (wait.isPresent()) {
            answers.refuse(request, ApiError.rateLimited(TOO_MANY_KEYS, wait.get()));
            return;
        }
        goOnWith(request, key, keys.find(key).thenApply(account -> {
            account.ifPresent(found -> unknownKeys.wasValid(client, key.sha256()));
            return account;
        }));
    }

    private void goOnWith(RoutingContext request, ApiKey key, CompletableFuture<Optional<Account>> account) {
        if (account.isDone()) {
            goOn(request, key, account);
        } else {
            waitFor(request, key, account);
        }
    }

    /** The answer comes from a virtual thread; the request goes on where it came from. */
    private void waitFor(RoutingContext request, ApiKey key, CompletableFuture<Optional<Account>> account) {
        Context context = vertx.getOrCreateContext();
        request.request().pause();
        var _ = account.whenComplete((found, failure) -> context.runOnContext(now -> {
            request.request().resume();
            goOn(request, key, account);
        }));
    }

    private void goOn(RoutingContext request, ApiKey key, CompletableFuture<Optional<Account>> answer) {
        Optional<Account> account;
        try {
            account = answer.join();
        } catch (CompletionException e) {
            answers.fail(request, causeOf(e));
            return;
        }
        goOn(request, key, account);
    }

    private void goOn(RoutingContext request, ApiKey key, Optional<Account> account) {
        if (account.isPresent()) {
            Caller.put(request, account.get(), key.sha256());
            request.next();
        } else {
            answers.refuse(request, WRONG_KEY);
        }
    }

    private static Throwable causeOf(CompletionException e) {
        @Nullable Throwable cause = e.getCause();
        return cause == null ? e : cause;
    }
}
