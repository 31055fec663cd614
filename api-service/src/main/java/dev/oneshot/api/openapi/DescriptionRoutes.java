package dev.oneshot.api.openapi;

import dev.oneshot.api.http.ClassPathFile;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;

/** Serves the description of the public API, as JSON if the parameter {@code format} or Accept names it, else as YAML. */
@ApplicationScoped
class DescriptionRoutes {

    private final Buffer json = ClassPathFile.read(DescriptionRoutes.class, "openapi.json");
    private final Buffer yaml = ClassPathFile.read(DescriptionRoutes.class, "openapi.yaml");

    void routes(@Observes Router router) {
        router.route("/openapi").handler(this::describe);
    }

    private void describe(RoutingContext request) {
        boolean isJson = wantsJson(request);
        Buffer bytes = isJson ? json : yaml;
        request.response()
                .putHeader("Content-Type", (isJson ? "application/json" : "application/yaml") + ";charset=UTF-8")
                .putHeader("Content-Length", Integer.toString(bytes.length()))
                .end(bytes);
    }

    /** Browsers, which accept anything, get YAML. */
    private static boolean wantsJson(RoutingContext request) {
        List<String> formats = request.queryParam("format");
        return (!formats.isEmpty() && formats.getFirst().equalsIgnoreCase("json"))
                || request.parsedHeaders().accept().stream()
                        .anyMatch(range ->
                                range.weight() > 0 && range.subComponent().equalsIgnoreCase("json"));
    }
}
