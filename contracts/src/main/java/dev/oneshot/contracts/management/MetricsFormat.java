package dev.oneshot.contracts.management;

import io.quarkus.vertx.http.ManagementInterface;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Chooses the format of {@code /q/metrics}: plain text, or OpenMetrics if the client accepts only that. Quarkus's own route sends
 * OpenMetrics to clients that accept anything, and rejects OpenMetrics without a version.
 */
@Singleton
class MetricsFormat {

    /** Before Quarkus's own route, which is 1. */
    private static final int ORDER = 0;

    private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.GET, HttpMethod.HEAD);

    void route(@Observes ManagementInterface management) {
        management.router().route("/q/metrics").order(ORDER).handler(MetricsFormat::choose);
    }

    private static void choose(RoutingContext request) {
        if (!METHODS.contains(request.request().method())) {
            request.response().putHeader("Allow", "GET, HEAD");
            request.fail(405);
            return;
        }
        MultiMap fields = request.request().headers();
        String accept = String.join(",", fields.getAll("Accept")).toLowerCase(Locale.ROOT);
        if (accept.isBlank() || Stream.of("text/plain", "text/*", "*/*").anyMatch(accept::contains)) {
            fields.set("Accept", "text/plain");
        } else if (accept.contains("application/openmetrics-text") || accept.contains("application/*")) {
            fields.set("Accept", "application/openmetrics-text; version=1.0.0; charset=utf-8");
        } else {
            request.fail(406);
            return;
        }
        request.next();
    }
}
