package dev.oneshot.api.account;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.RequestScoped;
import java.util.Optional;

/** Whose request this is. */
@RequestScoped
public class Caller {

    private static final String KEY = Caller.class.getName();

    private final RoutingContext request;

    Caller(RoutingContext request) {
        this.request = request;
    }

    static void put(RoutingContext request, Account account) {
        request.put(KEY, account);
    }

    /** The account that authenticated a request, if one had to. */
    public static Optional<Account> of(RoutingContext request) {
        return Optional.ofNullable(request.get(KEY));
    }

    /**
     * The account that authenticated.
     *
     * @throws ApiException 401 if the request came past authentication
     */
    public Account account() {
        Account account = request.get(KEY);
        if (account == null) {
            throw new ApiException(new ApiError.Unauthorized("the request is not authenticated"));
        }
        return account;
    }

    /** The refusal when the account has been deleted since the request was let in. */
    public static ApiException gone() {
        return new ApiException(new ApiError.Unauthorized("the account is gone"));
    }
}
