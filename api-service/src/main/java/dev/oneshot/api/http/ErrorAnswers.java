package dev.oneshot.api.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ErrorEnvelope;
import dev.oneshot.api.error.ErrorTranslation;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import org.jboss.logging.Logger;

/** Answers with the error envelope below JAX-RS: at the edge and on the management port. */
@ApplicationScoped
public class ErrorAnswers {

    private static final Logger LOG = Logger.getLogger(ErrorAnswers.class);

    private final ObjectMapper json;
    private final Refusals refusals;

    ErrorAnswers(ObjectMapper json, Refusals refusals) {
        this.json = json;
        this.refusals = refusals;
    }

    /** Answers with what a failure means, unless the client has gone, which hears nothing. Call it on the request's event loop. */
    public void fail(RoutingContext request, Throwable failure) {
        if (ClientGone.explains(failure)) {
            LOG.debugf(failure, "client gone requestId=%s", RequestId.of(request));
            request.response().reset();
            return;
        }
        refuse(request, ErrorTranslation.of(failure, RequestId.of(request)));
    }

    /** Answers with an error. Call it on the request's event loop. */
    public void refuse(RoutingContext request, ApiError error) {
        HttpServerResponse response = request.response();
        if (response.ended()) {
            return;
        }
        if (response.headWritten()) {
            // Too late for an envelope: a reset tells the client that what it has is not the whole.
            response.reset();
            return;
        }
        refusals.count(error);
        response.headers().remove("Content-Length");
        error.headers().forEach(response::putHeader);
        RequestEnd.leaveBody(request, error);
        response.setStatusCode(error.status())
                .putHeader("Content-Type", "application/json")
                .end(envelope(error));
    }

    private String envelope(ApiError error) {
        try {
            return json.writeValueAsString(ErrorEnvelope.of(error));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the error envelope could not be written", e);
        }
    }
}
