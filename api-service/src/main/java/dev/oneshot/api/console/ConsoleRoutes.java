package dev.oneshot.api.console;

import dev.oneshot.api.http.EntityTag;
import dev.oneshot.api.http.ErrorResponses;
import dev.oneshot.api.request.RequestCheck;
import dev.oneshot.api.request.RequestPath;
import dev.oneshot.contracts.setting.ValidSetting;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Serves the files of the console from memory, without a key: they are the same for everyone. Other paths continue to the checks of
 * the API. Paths are taken literally.
 */
@ApplicationScoped
public class ConsoleRoutes {

    private static final String ROOT = "/console";
    private static final List<String> METHODS = List.of("GET", "HEAD", "OPTIONS");

    private static final Pattern PRICE = Pattern.compile("[0-9]{1,6}(?:\\.[0-9]{1,6})? [A-Z]{3}");

    private final Map<String, ConsoleFile> files;

    /** Settings of the console. */
    @ConfigMapping(prefix = "oneshot.console")
    public interface Config {

        /** Whether {@code /console} serves the web page. If not, its paths are like any other that does not exist. */
        @WithDefault("true")
        boolean enabled();

        /** The price of a credit, which the page shows to buyers: an amount and a currency (ISO 4217), such as {@code 0.01 EUR}. */
        Optional<String> creditPrice();
    }

    ConsoleRoutes(Config config) {
        String price = config.creditPrice().orElse("");
        ValidSetting.require(
                price.isEmpty() || PRICE.matcher(price).matches(),
                "oneshot.console.credit-price must be an amount and the code of a currency, such as 0.01 EUR, not "
                        + price);
        this.files = config.enabled() ? ConsoleFile.readAll(ROOT + "/", price) : Map.of();
    }

    void filters(@Observes Filters filters) {
        if (!files.isEmpty()) {
            RequestCheck.CONSOLE.register(filters, this::serve);
        }
    }

    private void serve(RoutingContext request) {
        String path = RequestPath.of(request.request());
        ConsoleFile file = files.get(path);
        if (file == null && !path.equals(ROOT)) {
            request.next();
        } else if (ErrorResponses.takesMethod(request, METHODS)) {
            if (file == null) {
                redirect(request);
            } else {
                send(request, file);
            }
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
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("X-Content-Type-Options", "nosniff");
        if (file.isDocument()) {
            response.putHeader("Cross-Origin-Opener-Policy", "same-origin")
                    .putHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
                    .putHeader("X-DNS-Prefetch-Control", "off");
        }
        if (EntityTag.matches(request.request().headers().getAll("If-None-Match"), file.etag())) {
            response.setStatusCode(304).end();
            return;
        }
        response.putHeader("Content-Type", file.type())
                .putHeader("Content-Length", Integer.toString(file.bytes().length()))
                .end(file.bytes());
    }
}
