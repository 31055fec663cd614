package dev.oneshot.api.body;

import dev.oneshot.api.request.RequestState;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** An authenticated request that can end. */
final class OpenRequest {

    private final Map<Object, Object> data = new ConcurrentHashMap<>();
    private final List<Handler<AsyncResult<Void>>> atEnd = new ArrayList<>();
    private final RoutingContext context = (RoutingContext) Proxy.newProxyInstance(
            OpenRequest.class.getClassLoader(),
            new Class<?>[] {RoutingContext.class},
            (proxy, method, arguments) -> call(method.getName(), arguments));

    private record Owner(UUID accountId) implements RequestState.Caller {

        @Override
        public long bodyBytesMax() {
            return Long.MAX_VALUE;
        }

        @Override
        public String planName() {
            return "scale";
        }
    }

    OpenRequest(UUID account) {
        RequestState.begin(context);
        RequestState.of(context).authenticated(new Owner(account));
    }

    RoutingContext context() {
        return context;
    }

    void end() {
        atEnd.forEach(handler -> handler.handle(Future.succeededFuture()));
    }

    @SuppressWarnings("unchecked")
    private @Nullable Object call(String method, Object[] arguments) {
        return switch (method) {
            case "get" -> data.get(arguments[0]);
            case "put" -> {
                data.put(arguments[0], arguments[1]);
                yield context;
            }
            case "request" ->
                // Without header fields.
                Proxy.newProxyInstance(
                        OpenRequest.class.getClassLoader(),
                        new Class<?>[] {HttpServerRequest.class},
                        (_, _, _) -> null);
            case "addHeadersEndHandler" -> 0;
            case "addEndHandler" -> {
                atEnd.add((Handler<AsyncResult<Void>>) arguments[0]);
                yield atEnd.size();
            }
            default -> throw new AssertionError("unexpected method " + method);
        };
    }
}
