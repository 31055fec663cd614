package dev.oneshot.api.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.oneshot.api.error.ApiException;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.RequestScoped;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The query of a request, read strictly: JAX-RS takes an empty parameter for an absent one, and the first of several;
 * here an empty one is an empty value and several are refused. Vert.x takes names without regard to case, and a semicolon for
 * the end of a value; here it is a character like others, as browsers have it.
 */
@RequestScoped
public class QueryParameters {

    /** More than fit into the longest request line that Netty reads: none is left out. */
    private static final int PARAMETERS_MAX = 64 * 1024;

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
        List<String> values = parameters().getOrDefault(name, List.of());
        if (values.size() > 1) {
            throw ApiException.invalid(name + " must be given once");
        }
        return values.isEmpty() ? null : values.getFirst();
    }

    /**
     * Refuses all parameters but these, as a misspelt filter would have more listed, or deleted, than its caller meant.
     *
     * @throws ApiException 400, naming one that is not among them, or if the query cannot be read
     */
    public void requireOnly(String... names) {
        List<String> known = List.of(names);
        for (String name : parameters().keySet()) {
            if (!known.contains(name)) {
                throw ApiException.invalid(
                        name + " is no parameter of this request, which takes only " + String.join(", ", known));
            }
        }
    }

    private Map<String, List<String>> parameters() {
        try {
            requireUtf8(request.request().query());
            return new QueryStringDecoder(request.request().uri(), UTF_8, true, PARAMETERS_MAX, true).parameters();
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
