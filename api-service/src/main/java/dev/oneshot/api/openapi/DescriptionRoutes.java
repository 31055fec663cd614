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
    private static final String JSON = "application/json";
    private static final String YAML = "application/yaml";

    private final Form json = new Form(JSON, ClassPathFile.read(DescriptionRoutes.class, "openapi.json"));
    private final Form yaml = new Form(YAML, ClassPathFile.read(DescriptionRoutes.class, "openapi.yaml"));

    void routes(@Observes Router router) {
        router.route(PATH).handler(request -> wanted(request).send(request));
        router.route(PATH + ".json").handler(json::send);
        router.route(PATH + ".yaml").handler(yaml::send);
        router.route(PATH + ".yml").handler(yaml::send);
    }

    /** Browsers, which accept anything, get YAML. */
    private Form wanted(RoutingContext request) {
        List<String> formats = request.queryParam("format");
        boolean isJson =
                (!formats.isEmpty() && formats.getFirst().equalsIgnoreCase("json")) || Accept.namesJson(request);
        return isJson ? json : yaml;
    }

    /** A form of the description. */
    private record Form(String type, Buffer bytes) {

        void send(RoutingContext request) {
            request.response()
                    .putHeader("Content-Type", type + ";charset=UTF-8")
                    .putHeader("Content-Length", Integer.toString(bytes.length()))
                    .end(bytes);
        }
    }
}
