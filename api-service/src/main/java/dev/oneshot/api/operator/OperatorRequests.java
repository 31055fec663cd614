package dev.oneshot.api.operator;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.BodyDigest;
import dev.oneshot.api.http.JsonContent;
import dev.oneshot.api.http.QueryParameters;
import dev.oneshot.api.http.StrictJson;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is read from requests to the operator API. */
@ApplicationScoped
class OperatorRequests {

    private final StrictJson json;
    private final long bodyBytesMax;

    OperatorRequests(StrictJson json, OperatorConfig config) {
        this.json = json;
        this.bodyBytesMax = config.bodyBytesMax();
    }

    /**
     * The body.
     *
     * @throws ApiException 400, 413 or 415
     */
    <T> T body(RoutingContext request, Class<T> type) {
        Buffer body = request.body().buffer();
        byte[] octets = body == null ? new byte[0] : body.getBytes();
        if (octets.length > bodyBytesMax) {
            throw new ApiException(ApiError.payloadTooLarge(bodyBytesMax));
        }
        if (octets.length > 0) {
            JsonContent.require(
                    request.request().getHeader("Content-Type"),
                    request.request().getHeader("Content-Encoding"));
        }
        try {
            return json.read(BodyDigest.taken(request, new ByteArrayInputStream(octets)), type);
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory failed", e);
        }
    }

    /**
     * A parameter of the query; null if it is absent.
     *
     * @throws ApiException 400 if it is given more than once or the query cannot be read
     */
    static @Nullable String parameter(RoutingContext request, String name) {
        return QueryParameters.of(request).single(name);
    }

    /**
     * Refuses all parameters but these.
     *
     * @throws ApiException 400, naming one that is not among them, or if the query cannot be read
     */
    static void requireOnly(RoutingContext request, String... parameters) {
        QueryParameters.of(request).requireOnly(parameters);
    }

    /**
     * The account in the path.
     *
     * @throws ApiException 404 if no account can have this id
     */
    static UUID id(RoutingContext request) {
        String text = request.pathParam("id");
        UUID id;
        try {
            id = UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw noSuchAccount();
        }
        // Java reads short forms as well, by which an account would have several paths.
        if (!id.toString().equalsIgnoreCase(text)) {
            throw noSuchAccount();
        }
        return id;
    }

    /** The refusal for an id that no account has. */
    static ApiException noSuchAccount() {
        return ApiException.notFound("there is no such account");
    }
}
