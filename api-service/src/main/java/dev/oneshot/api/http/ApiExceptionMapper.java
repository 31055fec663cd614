package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiError;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import org.jboss.logging.Logger;

/** Turns exceptions of resources into responses with an error body. */
@Provider
class ApiExceptionMapper implements ExceptionMapper<Throwable> {

    private static final Logger LOG = Logger.getLogger(ApiExceptionMapper.class);

    private final RoutingContext request;
    private final ErrorResponses errors;

    ApiExceptionMapper(RoutingContext request, ErrorResponses errors) {
        this.request = request;
        this.errors = errors;
    }

    @Override
    public Response toResponse(Throwable failure) {
        return response(ErrorResponses.isClientGone(failure) ? clientGone(failure) : refused(failure));
    }

    private ApiError refused(Throwable failure) {
        ApiError error = ErrorResponses.translated(failure, request);
        errors.count(error);
        return error;
    }

    /** Only the metrics need it, for their status. */
    private ApiError clientGone(Throwable failure) {
        LOG.debugf(failure, "client gone requestId=%s", RequestId.of(request));
        return ApiError.requestTimeout();
    }

    private Response response(ApiError error) {
        Response.ResponseBuilder response = Response.status(error.status())
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(error.body());
        error.headers().forEach(response::header);
        RequestEnd.leaveBody(request, error);
        return response.build();
    }
}
