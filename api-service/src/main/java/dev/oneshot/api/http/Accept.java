package dev.oneshot.api.http;

import io.vertx.ext.web.MIMEHeader;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** The header field Accept (RFC 9110 §12.5.1), where JAX-RS does not read it. */
public final class Accept {

    private Accept() {}

    /** Whether a client takes JSON, by its own name or by a range. */
    public static boolean allowsJson(RoutingContext request) {
        List<MIMEHeader> ranges = request.parsedHeaders().accept();
        return ranges.isEmpty() || ranges.stream().anyMatch(Accept::containsJson);
    }

    /** Whether a client asks for JSON by its own name. */
    public static boolean namesJson(RoutingContext request) {
        return request.parsedHeaders().accept().stream()
                .anyMatch(range -> range.weight() > 0 && range.subComponent().equalsIgnoreCase("json"));
    }

    private static boolean containsJson(MIMEHeader range) {
        return range.weight() > 0
                && (range.component().equals("*") || range.component().equalsIgnoreCase("application"))
                && (range.subComponent().equals("*") || range.subComponent().equalsIgnoreCase("json"));
    }
}
