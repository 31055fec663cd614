package dev.oneshot.api.console;

import dev.oneshot.api.http.BodyDigest;
import dev.oneshot.api.http.ClassPathFile;
import dev.oneshot.api.http.ErrorResponses;
import dev.oneshot.api.http.RequestCheck;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.impl.MimeMapping;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves the files of the console from memory, without a key: they are the same for everyone. Other paths continue to the checks of
 * the API. Paths are taken literally.
 */
@ApplicationScoped
class ConsoleRoutes {

    private static final String ROOT = "/console";
    private static final Pattern PATH = Pattern.compile(ROOT + "/(|(?:[a-z]+/)?[a-z]+\\.(?:css|html|js|svg))");
    private static final List<String> METHODS = List.of("GET", "HEAD", "OPTIONS");
    private static final int ETAG_BYTES = 12;

    /** The page runs its own modules and requests its own origin, nothing else. */
    private static final String PAGE_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "img-src 'self' blob:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    /**
     * The page with the e-mail has an origin of its own. What it makes inherits this policy, so that an e-mail, whose
     * policy allows no remote images unless the reader asks for them, could have no more than this.
     */
    private static final String FRAME_POLICY = "sandbox allow-scripts; default-src 'none'; script-src 'self'; "
            + "style-src 'unsafe-inline'; img-src data: https: http:; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'self'";

    private final boolean enabled;
    private final ErrorResponses errors;
    /** By their names. */
    private final Map<String, File> files = new ConcurrentHashMap<>();

    ConsoleRoutes(ConsoleConfig config, ErrorResponses errors) {
        this.enabled = config.enabled();
        this.errors = errors;
    }

    /** A file that the build copies from {@code console/src}. Its ETag is a weak one, as the response may be compressed. */
    private record File(String name, String etag, Buffer bytes) {

        static @Nullable File read(String name) {
            return ClassPathFile.find(ConsoleRoutes.class, "files/" + name)
                    .map(bytes -> new File(name, etag(bytes), bytes))
                    .orElse(null);
        }

        private static String etag(Buffer bytes) {
            byte[] digest = BodyDigest.sha256().digest(bytes.getBytes());
            return "W/\"" + HexFormat.of().formatHex(digest, 0, ETAG_BYTES) + '"';
        }
    }

    void filters(@Observes Filters filters) {
        if (enabled) {
            RequestCheck.CONSOLE.register(filters, this::serve);
        }
    }

    private void serve(RoutingContext request) {
        String path = request.request().path();
        if (ROOT.equals(path)) {
            if (errors.takesMethod(request, METHODS)) {
                // The page names its files relative to its own path, so that it also works below a prefix of a proxy.
                request.response()
                        .putHeader("Location", "console/")
                        .setStatusCode(308)
                        .end();
            }
            return;
        }
        Matcher name = PATH.matcher(String.valueOf(path));
        File file = name.matches()
                ? files.computeIfAbsent(name.group(1).isEmpty() ? "index.html" : name.group(1), File::read)
                : null;
        if (file == null) {
            request.next();
        } else if (errors.takesMethod(request, METHODS)) {
            send(request, file);
        }
    }

    private static void send(RoutingContext request, File file) {
        HttpServerResponse response = request.response()
                .putHeader("ETag", file.etag())
                // A browser asks each time, so that a new version is there at once.
                .putHeader("Cache-Control", "no-cache")
                .putHeader("Content-Security-Policy", file.name().startsWith("frame.") ? FRAME_POLICY : PAGE_POLICY)
                .putHeader("Cross-Origin-Opener-Policy", "same-origin")
                .putHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("X-DNS-Prefetch-Control", "off");
        if (file.etag().equals(request.request().getHeader("If-None-Match"))) {
            response.setStatusCode(304).end();
            return;
        }
        // Quarkus sets it to identity, which keeps Netty from compressing.
        response.headers().remove("Content-Encoding");
        response.putHeader("Content-Type", MimeMapping.getMimeTypeForFilename(file.name()) + ";charset=UTF-8")
                .putHeader("Content-Length", Integer.toString(file.bytes().length()))
                .end(file.bytes());
    }
}
