package dev.oneshot.api.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of a request: answered, or its client gone. What is held for a request is let go here, whichever comes first
 * of its end and the wish to be told of it, and on whatever thread.
 */
public final class RequestEnd {

    private static final long CLOSE_MILLIS = 2_000;
    private static final String KEY = RequestEnd.class.getName();

    private final List<Runnable> waiting = new ArrayList<>();
    private boolean come;

    private RequestEnd() {}

    /** Runs something at the end of this request, or now if it has ended. It must neither block nor fail. */
    public static void then(RoutingContext request, Runnable action) {
        RequestEnd end = request.get(KEY);
        if (end == null) {
            throw new IllegalStateException("the request came past the edge");
        }
        if (!end.waits(action)) {
            action.run();
        }
    }

    /**
     * Has the connection closed once this request is answered, as the rest of its body is nobody's and the next request
     * could not be found behind it. Closing at once would reset a client that is still sending, before it has read the
     * answer.
     */
    static void closeConnection(RoutingContext request) {
        HttpServerRequest http = request.request();
        Vertx vertx = request.vertx();
        then(request, () -> {
            http.resume();
            vertx.setTimer(CLOSE_MILLIS, timer -> {
                var _ = http.connection().close();
            });
        });
    }

    /** To be called on the request's event loop, before anybody else sees it. */
    static void watch(RoutingContext request) {
        RequestEnd end = new RequestEnd();
        request.put(KEY, end);
        request.addEndHandler(ended -> end.come().forEach(Runnable::run));
    }

    private synchronized boolean waits(Runnable action) {
        if (!come) {
            waiting.add(action);
        }
        return !come;
    }

    private synchronized List<Runnable> come() {
        come = true;
        List<Runnable> actions = List.copyOf(waiting);
        waiting.clear();
        return actions;
    }
}
