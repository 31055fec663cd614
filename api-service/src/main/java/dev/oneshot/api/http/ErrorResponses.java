package dev.oneshot.api.http;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.StreamResetException;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.WebApplicationException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import org.jboss.logging.Logger;

/** Sends error bodies outside JAX-RS: from filters and on the management port. Counts all error responses by their code. */
@Startup
@ApplicationScoped
public class ErrorResponses {

    private static final Logger LOG = Logger.getLogger(ErrorResponses.class);

    /** Codes that alerts use. They exist from the start, so that the first error is an increase. */
    private static final List<String> EXPECTED = List.of(
            "VALIDATION_ERROR",
            "UNAUTHORIZED",
            "QUOTA_EXCEEDED",
            "NOT_FOUND",
            "EXPIRED",
            "RATE_LIMITED",
            "INTERNAL_ERROR",
            "UNAVAILABLE");

    private final ObjectMapper json;
    private final MeterRegistry registry;

    ErrorResponses(ObjectMapper json, MeterRegistry registry) {
        this.json = json;
        this.registry = registry;
        EXPECTED.forEach(this::counter);
    }

    /** Responds to a failure, unless the client has disconnected. Call it on the request's event loop. */
    public void fail(RoutingContext request, Throwable failure) {
        if (isClientGone(failure)) {
            LOG.debugf(failure, "client gone requestId=%s", RequestId.of(request));
            request.response().reset();
            return;
        }
        refuse(request, translated(failure, request));
    }

    /** Responds with an error. Call it on the request's event loop. */
    public void refuse(RoutingContext request, ApiError error) {
        HttpServerResponse response = request.response();
        if (response.ended()) {
            return;
        }
        if (response.headWritten()) {
            // Too late for an error body: a reset tells the client that the response is incomplete.
            response.reset();
            return;
        }
        count(error);
        response.headers().remove("Content-Length");
        error.headers().forEach(response::putHeader);
        RequestEnd.leaveBody(request, error);
        response.setStatusCode(error.status())
                .putHeader("Content-Type", "application/json")
                .end(body(error));
    }

    /** The error for a failure: the one place where an exception becomes one. Internal failures are logged; rejections are not. */
    static ApiError translated(Throwable failure, RoutingContext request) {
        return switch (failure) {
            case ApiException refused -> logged(refused, request);
            case WebApplicationException framework ->
                ofStatus(framework.getResponse().getStatus(), framework, request);
            default -> internal(failure, request);
        };
    }

    /** The error in place of a framework's response with this bare status. */
    static ApiError ofStatus(int status, Throwable failure, RoutingContext request) {
        return switch (status) {
            case 404 -> ApiError.of(ApiError.Kind.NOT_FOUND, "there is nothing at this path");
            case 406 -> ApiError.notAcceptable("application/json");
            case 413 -> ApiError.of(ApiError.Kind.PAYLOAD_TOO_LARGE, "the body is too large");
            case 415 -> ApiError.of(ApiError.Kind.UNSUPPORTED_MEDIA_TYPE, "Content-Type must be application/json");
            default ->
                status >= 400 && status < 500
                        ? ApiError.of(ApiError.Kind.INVALID, "the request is malformed")
                        : internal(failure, request);
        };
    }

    /** In one line: while a dependency is unavailable, every request ends here. */
    private static ApiError logged(ApiException refused, RoutingContext request) {
        if (refused.getCause() != null) {
            LOG.warnf(
                    "request refused status=%d requestId=%s cause=%s",
                    refused.error().status(), RequestId.of(request), refused.getCause());
        }
        return refused.error();
    }

    private static ApiError internal(Throwable failure, RoutingContext request) {
        LOG.errorf(failure, "request failed requestId=%s", RequestId.of(request));
        return ApiError.of(ApiError.Kind.INTERNAL, "something went wrong on our side");
    }

    private String body(ApiError error) {
        try {
            return json.writeValueAsString(error.body());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the error body could not be written", e);
        }
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

    void count(ApiError error) {
        counter(error.code()).increment();
    }

    private Counter counter(String code) {
        return Counter.builder("oneshot.api.refusals")
                .description("Responses with an error body, by its code")
                .tag("code", code)
                .register(registry);
    }
}
