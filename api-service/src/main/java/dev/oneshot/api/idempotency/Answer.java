package dev.oneshot.api.idempotency;

import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * An answer that can be given again.
 *
 * @param status of HTTP
 * @param body JSON
 */
public record Answer(int status, String body) {

    /** The answer as JAX-RS gives it; typed, so that who writes it is known before there is one. */
    public RestResponse<String> toResponse() {
        return RestResponse.ResponseBuilder.<String>create(status)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(body)
                .build();
    }
}
