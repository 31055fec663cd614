package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiError;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import io.quarkus.vertx.http.ManagementInterface;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Serves the metrics as plain text, or as OpenMetrics if only that is asked for. Quarkus's own route sends OpenMetrics to
 * clients that take anything, and rejects OpenMetrics without a version.
 */
@ApplicationScoped
@SuppressWarnings("deprecation") // Quarkus still provides this registry of Micrometer's.
class MetricsRoute {

    private static final String PATH = "/q/metrics";

    /** Before Quarkus's own route, which is 1. */
    private static final int ORDER = 0;

    private final PrometheusMeterRegistry metrics;
    private final ErrorAnswers answers;

    MetricsRoute(PrometheusMeterRegistry metrics, ErrorAnswers answers) {
        this.metrics = metrics;
        this.answers = answers;
    }

    void routes(@Observes ManagementInterface management) {
        management.router().get(PATH).order(ORDER).blockingHandler(this::scrape, false);
    }

    private void scrape(RoutingContext request) {
        String accept =
                String.join(",", request.request().headers().getAll("Accept")).toLowerCase(Locale.ROOT);
        if (accept.isBlank() || Stream.of("text/plain", "text/*", "*/*").anyMatch(accept::contains)) {
            send(request, TextFormat.CONTENT_TYPE_004);
        } else if (accept.contains("application/openmetrics-text") || accept.contains("application/*")) {
            send(request, TextFormat.CONTENT_TYPE_OPENMETRICS_100);
        } else {
            answers.refuse(request, ApiError.notAcceptable("text/plain"));
        }
    }

    private void send(RoutingContext request, String type) {
        request.response().putHeader("Content-Type", type).end(metrics.scrape(type));
    }
}
