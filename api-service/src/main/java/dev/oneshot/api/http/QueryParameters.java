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
 * The query of a request, read strictly: an empty parameter is an empty value, several of one name are rejected, names are
 * case-sensitive, and a semicolon is an ordinary character, as in browsers. JAX-RS and Vert.x differ in all of these.
 */
@RequestScoped
public class QueryParameters {

    /** More than fit into the longest request line, so none is omitted. */
    private static final int PARAMETERS_MAX = 64 * 1024;

    private final RoutingContext request;

    /** Also for requests outside JAX-RS. */
    public QueryParameters(RoutingContext request) {
        this.request = request;
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
     * Rejects all other parameters, as a misspelt filter would list, or delete, more than the client meant.
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

    /** Vert.x would replace invalid UTF-8 by U+FFFD. */
    private static void requireUtf8(@Nullable String query) throws CharacterCodingException {
        if (query != null) {
            byte[] bytes = URLDecoder.decode(query, ISO_8859_1).getBytes(ISO_8859_1);
            var _ = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        }
    }
}
