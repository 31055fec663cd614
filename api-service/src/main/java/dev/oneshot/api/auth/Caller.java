package dev.oneshot.api.auth;

import dev.oneshot.api.account.Account;
import dev.oneshot.api.account.ApiKey;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.RequestMemory;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.RequestScoped;
import java.util.Objects;
import java.util.Optional;

/** Whose request this is. */
@RequestScoped
public class Caller {

    private static final String KEY = Caller.class.getName();

    private final RoutingContext request;

    Caller(RoutingContext request) {
        this.request = request;
    }

    /** Who authenticated, and by which key. */
    private record Authenticated(Account account, ApiKey key) {}

    static void put(RoutingContext request, Account account, ApiKey key) {
        request.put(KEY, new Authenticated(account, key));
        RequestMemory.setOwner(request, account.id());
    }

    /** The account that authenticated a request, if one had to. */
    public static Optional<Account> of(RoutingContext request) {
        Authenticated authenticated = request.get(KEY);
        return Optional.ofNullable(authenticated).map(Authenticated::account);
    }

    /** The account that authenticated. */
    public Account account() {
        return authenticated().account();
    }

    /** The key that authenticated. */
    public ApiKey key() {
        return authenticated().key();
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
        Authenticated authenticated = request.get(KEY);
        return Objects.requireNonNull(authenticated, "a request without a key reached a resource");
    }
}
