package dev.oneshot.api.http;

import dev.oneshot.api.body.RequestBounds;
import dev.oneshot.api.connection.ConnectionLimits;
import dev.oneshot.api.connection.PipelinedRequests;
import dev.oneshot.api.connection.RequestEnd;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.request.RequestCheck;
import dev.oneshot.api.request.RequestPath;
import dev.oneshot.api.request.RequestState;
import io.netty.channel.Channel;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaders;
import io.quarkus.vertx.http.ManagementInterface;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.MDC;

/** Checks framing, bounds and path of every request ({@link RequestCheck}), and responds where no resource does. */
@ApplicationScoped
class RequestFilters {

    private static final String VERSIONED = "/v1";

    private static final String LOGGED_REQUEST_ID = "requestId";
    private static final int LAST = Integer.MAX_VALUE;

    private final ErrorResponses errors;
    private final RequestBounds bounds;
    private final InstantSource clock;
    private volatile HttpDate lastDate = new HttpDate(Long.MIN_VALUE, "");

    RequestFilters(ErrorResponses errors, RequestBounds bounds, InstantSource clock) {
        this.errors = errors;
        this.bounds = bounds;
        this.clock = clock;
    }

    void filters(@Observes Filters filters) {
        RequestCheck.UNREAD.register(filters, RequestFilters::awaitReader);
        RequestCheck.FRAMING.register(filters, this::receive);
        RequestCheck.BOUNDS.register(filters, this::requireInBounds);
        RequestCheck.PATH.register(filters, this::requireOffered);
        RequestCheck.ACCEPT.register(filters, RequestFilters::requireAccepted);
    }

    void routes(@Observes Router router) {
        router.route().order(LAST).handler(request -> request.fail(404));
        router.route().order(Integer.MIN_VALUE).failureHandler(this::failed);
    }

    void managementFraming(@Observes @Priority(RequestCheck.MANAGEMENT_FRAMING) ManagementInterface management) {
        management
                .router()
                .route()
                .order(Integer.MIN_VALUE)
                .handler(RequestFilters::awaitReader)
                .handler(this::receive);
    }

    void managementBounds(@Observes @Priority(RequestCheck.MANAGEMENT_BOUNDS) ManagementInterface management) {
        management
                .router()
                .route()
                .order(Integer.MIN_VALUE)
                .handler(this::requireInBounds)
                .failureHandler(this::failed);
        // After the routes' own failure handlers.
        management.router().route().order(LAST - 1).failureHandler(this::failed);
    }

    /** The write queue is full if the client does not read the responses to requests that it pipelined before. */
    private static void awaitReader(RoutingContext request) {
        HttpServerRequest http = request.request();
        PipelinedRequests.watch(http);
        Channel channel = ((ConnectionBase) http.connection()).channel();
        if (channel.isWritable() || http.version() == HttpVersion.HTTP_2) {
            // A stream of HTTP/2 has a window of its own.
            request.next();
        } else if (!channel.isActive()) {
            RequestEnd.abandon(http);
        } else {
            http.pause();
            HttpServerResponse response = request.response();
            response.drainHandler(_ -> {
                response.drainHandler(null);
                http.resume();
                request.next();
            });
        }
    }

    private void receive(RoutingContext request) {
        if (RequestEnd.isClosing(request) || !ConnectionLimits.begin(request)) {
            // The next bytes may belong to an unread body.
            RequestEnd.abandon(request.request());
            return;
        }
        begin(request);
        RequestBounds.requireFraming(request.request());
        if (request.request().headers() instanceof HttpHeaders fields
                && fields.containsValue("Connection", "close", true)
                && !fields.contains("Connection", "close", true)) {
            // Vert.x closes only if no other option is in the field (RFC 9112 §9.6).
            RequestEnd.closeConnection(request);
        }
        request.next();
    }

    private void begin(RoutingContext request) {
        RequestSpans.begin(request.request());
        // The diagnostic context ends with the request.
        MDC.put(LOGGED_REQUEST_ID, RequestState.begin(request).id());
        request.addHeadersEndHandler(_ -> {
            request.response().putHeader("Date", date());
            RequestEnd.endContent(request);
        });
        if (RequestPath.of(request.request()).startsWith(VERSIONED)) {
            // No cache keeps people's mail, and no browser guesses its type.
            request.response().putHeader("Cache-Control", "no-store").putHeader("X-Content-Type-Options", "nosniff");
        }
    }

    /** The current time in the format of RFC 9110 §5.6.7. Formatted once a second, as each response needs it. */
    private String date() {
        long second = clock.instant().getEpochSecond();
        HttpDate date = lastDate;
        if (date.second != second) {
            date = new HttpDate(second, DateFormatter.format(Date.from(Instant.ofEpochSecond(second))));
            lastDate = date;
        }
        return date.text;
    }

    private record HttpDate(long second, String text) {}

    private void requireInBounds(RoutingContext request) {
        bounds.requireWithin(request.request());
        request.next();
    }

    /**
     * JAX-RS has 404 and 405 too, but not the same for all resources, and without Allow. Paths are taken as {@link RequestPath} reads them: the router treats
     * {@code //v1} and {@code /x/../v1} as {@code /v1}.
     */
    private void requireOffered(RoutingContext request) {
        Optional<OfferedPath> offered = OfferedPath.at(RequestPath.of(request.request()));
        if (offered.isEmpty()) {
            request.fail(404);
        } else if (ErrorResponses.takesMethod(request, offered.get().methods())) {
            request.next();
        }
    }

    private static void requireAccepted(RoutingContext request) {
        HttpServerRequest http = request.request();
        if (RefusedTypes.includeJson(http)
                && OfferedPath.at(RequestPath.of(http)).stream()
                        .anyMatch(offered -> offered.respondsWithJson(http.method()))) {
            throw ApiException.notAcceptable("application/json");
        }
        request.next();
    }

    private void failed(RoutingContext request) {
        if (!RequestState.isBegun(request)) {
            // The router rejects some requests itself, and on the management port Quarkus reads the body first.
            PipelinedRequests.watch(request.request());
            begin(request);
        }
        Throwable failure = request.failure();
        if (failure != null && (request.statusCode() == 500 || ErrorResponses.isClientGone(failure))) {
            errors.fail(request, failure);
        } else if (request.statusCode() == 405) {
            errors.refuse(request, ApiException.methodNotAllowed(List.of("GET", "HEAD")));
        } else if (request.statusCode() == 406) {
            errors.refuse(request, ApiException.notAcceptable("text/plain"));
        } else {
            errors.refuse(request, ErrorResponses.ofStatus(request.statusCode(), failure, request));
        }
    }
}
