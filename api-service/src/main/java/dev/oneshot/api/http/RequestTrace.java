package dev.oneshot.api.http;

import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.contracts.trace.TraceScope;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.MDC;

/** Under what a request is found in the logs: the caller's W3C trace goes on if it sent one, otherwise one begins. */
final class RequestTrace {

    /** The name of the log field. */
    static final String REQUEST_ID = "requestId";

    private RequestTrace() {}

    /** To be called on the request's event loop, before anybody else logs; the diagnostic context ends with it. */
    static void begin(RoutingContext request, String requestId) {
        MDC.put(REQUEST_ID, requestId);
        TraceScope.enter(sent(request).map(TraceContext::next).orElseGet(TraceContext::create));
    }

    /** More than one is as good as none. */
    private static Optional<TraceContext> sent(RoutingContext request) {
        List<String> sent = request.request().headers().getAll(TraceContext.HEADER);
        return sent.size() == 1 ? TraceContext.parse(sent.getFirst()) : Optional.empty();
    }
}
