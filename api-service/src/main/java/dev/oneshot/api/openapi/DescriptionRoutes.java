package dev.oneshot.api.openapi;

import dev.oneshot.api.http.Accept;
import dev.oneshot.api.http.ClassPathFile;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;

/** Serves the description of the public API, as JSON if the path, the parameter {@code format} or Accept says so, else as YAML. */
@ApplicationScoped
class DescriptionRoutes {

    private static final String PATH = "/openapi";

    private final Buffer json = ClassPathFile.read(DescriptionRoutes.class, "openapi.json");
    private final Buffer yaml = ClassPathFile.read(DescriptionRoutes.class, "openapi.yaml");

    void routes(@Observes Router router) {
        router.route(PATH).handler(request -> send(request, wantsJson(request)));
        router.route(PATH + ".json").handler(request -> send(request, true));
        router.route(PATH + ".yaml").handler(request -> send(request, false));
        router.route(PATH + ".yml").handler(request -> send(request, false));
    }

    /** Browsers, which accept anything, get YAML. */
    private static boolean wantsJson(RoutingContext request) {
        List<String> formats = request.queryParam("format");
        return (!formats.isEmpty() && formats.getFirst().equalsIgnoreCase("json")) || Accept.namesJson(request);
    }

    private void send(RoutingContext request, boolean isJson) {
        Buffer bytes = isJson ? json : yaml;
        if (isJson) {
            // Quarkus sets it to identity, which keeps Netty from compressing.
            request.response().headers().remove("Content-Encoding");
        }
        request.response()
                .putHeader("Content-Type", (isJson ? "application/json" : "application/yaml") + ";charset=UTF-8")
                .putHeader("Content-Length", Integer.toString(bytes.length()))
                .end(bytes);
    }
}
