package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiException;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.RequestScoped;
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
            return request.queryParams().getAll(name);
        } catch (IllegalArgumentException e) {
            throw ApiException.invalid("the query is malformed");
        }
    }
}
