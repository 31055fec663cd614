package dev.oneshot.api.console;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.http.ErrorResponses;
import dev.oneshot.api.http.RequestCheck;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Map;

/**
 * Serves the files of the console from memory, without a key: they are the same for everyone. Other paths continue to the checks of
 * the API. Paths are taken literally.
 */
@ApplicationScoped
class ConsoleRoutes {

    private static final String ROOT = "/console";
    private static final String FILES = ROOT + "/";
    private static final List<String> METHODS = List.of("GET", "HEAD", "OPTIONS");

    private final boolean enabled;
    private final ErrorResponses errors;
    private final Map<String, ConsoleFile> files;

    ConsoleRoutes(ConsoleConfig config, ErrorResponses errors) {
        this.enabled = config.enabled();
        this.errors = errors;
        this.files = enabled ? ConsoleFile.readAll() : Map.of();
    }

    void filters(@Observes Filters filters) {
        if (enabled) {
            RequestCheck.CONSOLE.register(filters, this::serve);
        }
    }

    private void serve(RoutingContext request) {
        String path = request.request().path();
        if (path == null || !path.startsWith(ROOT)) {
            request.next();
        } else if (path.equals(ROOT)) {
            respond(request, () -> redirect(request));
        } else {
            ConsoleFile file = path.startsWith(FILES) ? files.get(path.substring(FILES.length())) : null;
            if (file == null) {
                request.next();
            } else {
                respond(request, () -> send(request, file));
            }
        }
    }

    private void respond(RoutingContext request, Runnable read) {
        switch (request.request().method().name()) {
            case "GET", "HEAD" -> read.run();
            case "OPTIONS" ->
                request.response()
                        .putHeader("Allow", String.join(", ", METHODS))
                        .setStatusCode(204)
                        .end();
            default -> errors.refuse(request, ApiError.methodNotAllowed(METHODS));
        }
    }

    /** The page names its files relative to its own path, so that it also works below a prefix of a proxy. */
    private static void redirect(RoutingContext request) {
        request.response().putHeader("Location", "console/").setStatusCode(308).end();
    }

    private static void send(RoutingContext request, ConsoleFile file) {
        HttpServerResponse response = request.response()
                .putHeader("ETag", file.etag())
                // A browser asks each time, so that a new version is there at once.
                .putHeader("Cache-Control", "no-cache")
                .putHeader("Content-Security-Policy", file.policy())
                .putHeader("Cross-Origin-Opener-Policy", "same-origin")
                .putHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("X-DNS-Prefetch-Control", "off");
        if (file.etag().equals(request.request().getHeader("If-None-Match"))) {
            response.setStatusCode(304).end();
            return;
        }
        response.putHeader("Content-Type", file.type())
                .putHeader("Content-Length", Integer.toString(file.bytes().length()))
                .end(file.bytes());
    }
}
