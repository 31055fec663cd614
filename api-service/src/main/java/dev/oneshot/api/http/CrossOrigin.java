package dev.oneshot.api.http;

import dev.oneshot.api.request.RequestCheck;
import dev.oneshot.contracts.setting.ValidSetting;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.smallrye.config.ConfigMapping;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Lets web pages of configured origins use the API (CORS). Runs before authentication, as a browser sends a preflight without
 * a key. Requests of other origins get no CORS header fields, so that their browsers withhold the response; the filters of
 * Quarkus and Vert.x would reject them with a 403 that has no error body.
 */
@ApplicationScoped
public class CrossOrigin {

    private static final String ANY = "*";
    private static final Pattern ORIGIN =
            Pattern.compile("\\*|[a-z][a-z0-9+.-]*://([a-z0-9.-]+|\\[[0-9a-f:.]+])(:[0-9]+)?");
    private static final String METHODS = "DELETE, GET, HEAD, POST";
    private static final String HEADER_FIELDS =
            "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id";
    private static final String EXPOSED =
            "Content-Disposition, ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id";

    private final Set<String> origins;

    /** Whose web pages may use the API. */
    @ConfigMapping(prefix = "oneshot.http")
    public interface Config {

        /**
         * The origins whose web pages may use the API (CORS), such as {@code https://app.example.com}, or {@code *} for all.
         * Without any, CORS is off and browsers withhold responses from the pages of other origins.
         */
        Optional<Set<String>> corsOrigins();
    }

    CrossOrigin(Config config) {
        this.origins = config.corsOrigins().orElse(Set.of());
        for (String origin : origins) {
            ValidSetting.require(
                    ORIGIN.matcher(origin).matches(),
                    "oneshot.http.cors-origins must be * or origins like https://app.example.com, not " + origin);
        }
    }

    void filters(@Observes Filters filters) {
        if (!origins.isEmpty()) {
            RequestCheck.CROSS_ORIGIN.register(filters, this::filter);
        }
    }

    private void filter(RoutingContext request) {
        HttpServerRequest http = request.request();
        HttpServerResponse response = request.response();
        response.headers().add("Vary", "Origin");
        String origin = http.getHeader("Origin");
        if (origin == null || !(origins.contains(origin) || origins.contains(ANY))) {
            request.next();
            return;
        }
        response.putHeader("Access-Control-Allow-Origin", origin);
        if (http.method().equals(HttpMethod.OPTIONS) && http.headers().contains("Access-Control-Request-Method")) {
            response.putHeader("Access-Control-Allow-Methods", METHODS)
                    .putHeader("Access-Control-Allow-Headers", HEADER_FIELDS)
                    .putHeader("Access-Control-Max-Age", "600")
                    .setStatusCode(204)
                    .end();
        } else {
            response.putHeader("Access-Control-Expose-Headers", EXPOSED);
            request.next();
        }
    }
}
