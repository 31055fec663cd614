package dev.oneshot.api.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.oneshot.api.error.ApiException;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.RequestScoped;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The query of a request, read strictly: JAX-RS takes an empty parameter for an absent one, and the first of several;
 * here an empty one is an empty value and several are refused.
 */
@RequestScoped
public class QueryParameters {

    private final RoutingContext request;

    QueryParameters(RoutingContext request) {
        this.request = request;
    }

    /** Those of a request that no resource serves. */
    public static QueryParameters of(RoutingContext request) {
        return new QueryParameters(request);
    }

    /**
     * A parameter's value; null if it is absent.
     *
     * @throws ApiException 400 if it is given more than once or the query cannot be read
     */
    public @Nullable String single(String name) {
        List<String> values = values(name);
        if (values.size() > 1) {
            throw ApiException.invalid(name + " must be given once");
        }
        return values.isEmpty() ? null : values.getFirst();
    }

    private List<String> values(String name) {
        try {
            requireUtf8(request.request().query());
            return request.queryParams().getAll(name);
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw ApiException.invalid("the query is malformed: it must be percent-encoded UTF-8");
        }
    }

    /** Vert.x would put U+FFFD in the place of what is no UTF-8, and that is a value like others. */
    private static void requireUtf8(@Nullable String query) throws CharacterCodingException {
        if (query != null) {
            byte[] octets = URLDecoder.decode(query, ISO_8859_1).getBytes(ISO_8859_1);
            var _ = UTF_8.newDecoder().decode(ByteBuffer.wrap(octets));
        }
    }
}
