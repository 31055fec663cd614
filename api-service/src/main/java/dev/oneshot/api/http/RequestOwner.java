package dev.oneshot.api.http;

import io.vertx.ext.web.RoutingContext;
import java.util.UUID;

/** On whose account a request is at work, for what is shared out among accounts. */
public final class RequestOwner {

    private static final String KEY = RequestOwner.class.getName();

    private RequestOwner() {}

    /** To be called once it is known who the caller is. */
    public static void put(RoutingContext request, UUID accountId) {
        request.put(KEY, accountId);
    }

    /** The account; only of requests that were let in by a key. */
    static UUID of(RoutingContext request) {
        UUID accountId = request.get(KEY);
        if (accountId == null) {
            throw new IllegalStateException("the request came past authentication");
        }
        return accountId;
    }
}
