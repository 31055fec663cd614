package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ErrorEnvelope;
import dev.oneshot.api.error.ErrorTranslation;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import org.jboss.logging.Logger;

/** Turns whatever comes out of a resource into the envelope. */
@Provider
class ApiExceptionMapper implements ExceptionMapper<Throwable> {

    private static final Logger LOG = Logger.getLogger(ApiExceptionMapper.class);

    private final RoutingContext request;
    private final Refusals refusals;

    ApiExceptionMapper(RoutingContext request, Refusals refusals) {
        this.request = request;
        this.refusals = refusals;
    }

    @Override
    public Response toResponse(Throwable failure) {
        return answer(ClientGone.explains(failure) ? clientGone(failure) : refused(failure));
    }

    private ApiError refused(Throwable failure) {
        ApiError error = ErrorTranslation.of(failure, RequestId.of(request));
        refusals.count(error);
        return error;
    }

    /** Nobody hears it but the metrics, which need a status. */
    private ApiError clientGone(Throwable failure) {
        LOG.debugf(failure, "client gone requestId=%s", RequestId.of(request));
        return ApiError.requestTimeout();
    }

    private Response answer(ApiError error) {
        Response.ResponseBuilder response = Response.status(error.status())
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(ErrorEnvelope.of(error));
        error.headers().forEach(response::header);
        RequestEnd.leaveBody(request, error);
        return response.build();
    }
}
