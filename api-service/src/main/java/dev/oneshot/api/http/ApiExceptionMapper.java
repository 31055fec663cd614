package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ErrorEnvelope;
import dev.oneshot.api.error.ErrorTranslation;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Turns whatever comes out of a resource into the envelope. */
@Provider
class ApiExceptionMapper implements ExceptionMapper<Throwable> {

    private final RoutingContext request;
    private final Refusals refusals;

    ApiExceptionMapper(RoutingContext request, Refusals refusals) {
        this.request = request;
        this.refusals = refusals;
    }

    @Override
    public Response toResponse(Throwable failure) {
        ApiError error = ErrorTranslation.of(failure, RequestId.of(request));
        refusals.count(error);
        Response.ResponseBuilder response = Response.status(error.status())
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(ErrorEnvelope.of(error));
        error.headers().forEach(response::header);
        RequestEnd.leaveBody(request, error);
        return response.build();
    }
}
