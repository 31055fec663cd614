package dev.oneshot.api.account;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.RequestScoped;

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
}
