package dev.oneshot.api.openapi;

import dev.oneshot.api.http.Accept;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** Serves the description of the public API, as JSON if the path, the parameter {@code format} or Accept says so, else as YAML. */
@ApplicationScoped
class DescriptionRoutes {

    private static final String PATH = "/openapi";
    private static final String JSON = "application/json";
    private static final String YAML = "application/yaml";

    private final Form json = Form.read("openapi.json", JSON);
    private final Form yaml = Form.read("openapi.yaml", YAML);

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

    /** A form of the description. Vert.x can send a buffer any number of times. */
    private record Form(String type, Buffer bytes) {

        static Form read(String resource, String type) {
            try (InputStream in = DescriptionRoutes.class.getResourceAsStream(resource)) {
                if (in == null) {
                    throw new IllegalStateException(
                            "the build has not written the description of the API: " + resource);
                }
                return new Form(type, Buffer.buffer(in.readAllBytes()));
            } catch (IOException e) {
                throw new UncheckedIOException("the description of the API is not readable", e);
            }
        }

        void send(RoutingContext request) {
            request.response()
                    .putHeader("Content-Type", type + ";charset=UTF-8")
                    .putHeader("Content-Length", Integer.toString(bytes.length()))
                    .end(bytes);
        }
    }
}
