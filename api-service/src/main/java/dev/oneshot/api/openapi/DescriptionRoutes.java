package dev.oneshot.api.openapi;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.http.Accept;
import dev.oneshot.api.http.ErrorAnswers;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;

/**
 * The paths of the description of the public API: the octets that the build has written, in the form that is asked for by the
 * path, the parameter {@code format} or the header Accept, and else as YAML.
 */
@ApplicationScoped
class DescriptionRoutes {

    private static final String PATH = "/openapi";
    private static final String JSON = "application/json";
    private static final String YAML = "application/yaml";
    private static final List<String> METHODS = List.of("GET", "HEAD", "OPTIONS");

    private final ErrorAnswers answers;
    private final Form json = Form.read("openapi.json", JSON);
    private final Form yaml = Form.read("openapi.yaml", YAML);

    DescriptionRoutes(ErrorAnswers answers) {
        this.answers = answers;
    }

    void routes(@Observes Router router) {
        offer(router, PATH, this::wanted);
        offer(router, PATH + ".json", request -> json);
        offer(router, PATH + ".yaml", request -> yaml);
        offer(router, PATH + ".yml", request -> yaml);
    }

    private void offer(Router router, String path, Function<RoutingContext, Form> choice) {
        router.route(path).handler(request -> answer(request, choice));
    }

    private void answer(RoutingContext request, Function<RoutingContext, Form> choice) {
        switch (request.request().method().name()) {
            case "GET", "HEAD" -> choice.apply(request).answer(request);
            case "OPTIONS" ->
                request.response()
                        .putHeader("Allow", String.join(", ", METHODS))
                        .setStatusCode(204)
                        .end();
            default -> answers.refuse(request, ApiError.methodNotAllowed(METHODS));
        }
    }

    /** Whoever takes anything, or nothing that there is, gets YAML: this is what people look at with a browser. */
    private Form wanted(RoutingContext request) {
        List<String> formats = request.queryParam("format");
        boolean isJson =
                (!formats.isEmpty() && formats.getFirst().equalsIgnoreCase("json")) || Accept.namesJson(request);
        return isJson ? json : yaml;
    }

    /** The description as it is sent; Vert.x sends a buffer as often as one likes. */
    private record Form(String type, Buffer octets) {

        static Form read(String resource, String type) {
            try (InputStream in = DescriptionRoutes.class.getResourceAsStream(resource)) {
                if (in == null) {
                    throw new IllegalStateException("the build left out the description of the API: " + resource);
                }
                return new Form(type, Buffer.buffer(in.readAllBytes()));
            } catch (IOException e) {
                throw new UncheckedIOException("the description of the API is not readable", e);
            }
        }

        void answer(RoutingContext request) {
            request.response()
                    .putHeader("Content-Type", type + ";charset=UTF-8")
                    .putHeader("Content-Length", Integer.toString(octets.length()))
                    .end(octets);
        }
    }
}
