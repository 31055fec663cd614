package dev.oneshot.api.http;

import com.fasterxml.jackson.core.JacksonException;
import dev.oneshot.api.connection.RequestEnd;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.error.ApiException.Kind;
import dev.oneshot.api.request.RequestState;
import dev.oneshot.contracts.log.RepeatedFault;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.StreamResetException;
import io.vertx.core.json.Json;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jspecify.annotations.Nullable;

/** Responds with error bodies: to failures of resources, from filters, and on the management port. Counts them by their code. */
@Startup
@ApplicationScoped
public class ErrorResponses {

    private static final Logger LOG = Logger.getLogger(ErrorResponses.class);

    private final Meter.MeterProvider<Counter> refusals;
    private final RepeatedFault unavailable = new RepeatedFault(
            (count, seconds) -> LOG.infof("no more requests refused requests=%d seconds=%d", count, seconds));

    ErrorResponses(MeterRegistry registry) {
        this.refusals = Counter.builder("oneshot.api.refusals")
                .description("Responses with an error body, by its code")
                .withRegistry(registry);
        // From the start, so that alerts see the first error of a code as an increase.
        for (Kind kind : Kind.values()) {
            refusals.withTag("code", kind.code());
        }
    }

    /** The response to a failure of a resource. */
    @ServerExceptionMapper
    Response failed(Throwable failure, RoutingContext request) {
        ApiException error;
        if (isGone(failure, request)) {
            // Only the metrics need it, for its status.
            error = ApiException.requestTimeout();
        } else {
            error = translated(failure, request);
            refusals.withTag("code", error.kind().code()).increment();
        }
        Response.ResponseBuilder response = Response.status(error.kind().status())
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(error.body());
        error.headers().forEach(response::header);
        RequestEnd.leaveBody(request, error);
        return response.build();
    }

    /** Responds to a failure, unless the client has disconnected. Call it on the request's event loop. */
    void fail(RoutingContext request, Throwable failure) {
        if (isGone(failure, request)) {
            request.response().reset();
        } else {
            refuse(request, translated(failure, request));
        }
    }

    private static boolean isGone(Throwable failure, RoutingContext request) {
        boolean isGone = isClientGone(failure);
        if (isGone) {
            LOG.debugf(
                    failure,
                    "client gone requestId=%s",
                    RequestState.of(request).id());
        }
        return isGone;
    }

    /** Responds with an error. Call it on the request's event loop. */
    void refuse(RoutingContext request, ApiException error) {
        HttpServerResponse response = request.response();
        if (response.ended()) {
            return;
        }
        if (response.headWritten()) {
            // Too late for an error body: a reset tells the client that the response is incomplete.
            response.reset();
            return;
        }
        refusals.withTag("code", error.kind().code()).increment();
        response.headers().remove("Content-Length");
        error.headers().forEach(response::putHeader);
        RequestEnd.leaveBody(request, error);
        response.setStatusCode(error.kind().status())
                .putHeader("Content-Type", "application/json")
                .end(Json.encode(error.body()));
    }

    /**
     * Returns true if the request continues. Responds to OPTIONS with 204 and Allow, and returns false.
     *
     * @throws ApiException 405 if the path does not have the method
     */
    public static boolean takesMethod(RoutingContext request, List<String> methods) {
        String method = request.request().method().name();
        if (!methods.contains(method)) {
            throw ApiException.methodNotAllowed(methods);
        }
        if (method.equals("OPTIONS")) {
            request.response()
                    .putHeader("Allow", String.join(", ", methods))
                    .setStatusCode(204)
                    .end();
            return false;
        }
        return true;
    }

    /** Maps failures of resources and filters to errors. Logs internal failures, and the first and the end of rejections with a cause. */
    private ApiException translated(Throwable failure, RoutingContext request) {
        return switch (failure) {
            case ApiException refused -> logged(refused, request);
            case WebApplicationException framework ->
                ofStatus(framework.getResponse().getStatus(), framework, request);
            default -> internal(failure, request);
        };
    }

    /** The error in place of a framework's response with this bare status. */
    static ApiException ofStatus(int status, @Nullable Throwable failure, RoutingContext request) {
        return switch (status) {
            case 404 -> ApiException.of(Kind.NOT_FOUND, "there is nothing at this path");
            case 406 -> ApiException.notAcceptable("application/json");
            case 413 -> ApiException.of(Kind.PAYLOAD_TOO_LARGE, "the body is too large");
            case 415 -> ApiException.of(Kind.UNSUPPORTED_MEDIA_TYPE, "Content-Type must be application/json");
            default ->
                status >= 400 && status < 500
                        ? ApiException.invalid("the request is malformed")
                        : internal(failure, request);
        };
    }

    /** Logs the first only: while a dependency is unavailable, every request ends here. */
    private ApiException logged(ApiException refused, RoutingContext request) {
        if (refused.getCause() != null && unavailable.begins()) {
            LOG.warnf(
                    "request refused status=%d requestId=%s cause=%s",
                    refused.kind().status(), RequestState.of(request).id(), refused.getCause());
        }
        return refused;
    }

    private static ApiException internal(@Nullable Throwable failure, RoutingContext request) {
        LOG.errorf(
                failure, "request failed requestId=%s", RequestState.of(request).id());
        return ApiException.of(Kind.INTERNAL, "something went wrong on our side");
    }

    /**
     * Whether a failure is that of the client's connection. Nothing else in a request throws an {@link IOException}: the database
     * throws unchecked exceptions, and a malformed body throws Jackson's.
     *
     * @param failure as thrown by reading the request or writing the response; its causes are ignored
     */
    static boolean isClientGone(Throwable failure) {
        return switch (failure) {
            case HttpClosedException _, StreamResetException _ -> true;
            case JacksonException _, InterruptedIOException _ -> false;
            case IOException _ -> true;
            default -> false;
        };
    }
}
