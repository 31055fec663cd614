package dev.oneshot.api.idempotency;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/**
 * An answer that can be given again.
 *
 * @param status of HTTP
 * @param body JSON
 */
public record Answer(int status, String body) {

    /** The answer as JAX-RS gives it. */
    public Response toResponse() {
        return Response.status(status)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(body)
                .build();
    }
}
