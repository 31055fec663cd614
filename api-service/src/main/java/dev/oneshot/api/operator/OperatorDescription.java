package dev.oneshot.api.operator;

import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The OpenAPI description of the operator API. Written by hand, as its paths are no resources that a generator would find;
 * tests hold every answer against it.
 */
@Startup
@ApplicationScoped
class OperatorDescription {

    private static final String RESOURCE = "openapi.json";

    private final String json;

    OperatorDescription() {
        try (InputStream in = OperatorDescription.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("the description of the operator API is missing");
            }
            this.json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the description of the operator API is not readable", e);
        }
    }

    String json() {
        return json;
    }
}
