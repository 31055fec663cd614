package dev.oneshot.api.inbox;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Content that is streamed to the client.
 *
 * @param contentType its type
 * @param contentBytes its length, known before the first byte is read
 * @param content opens it
 */
record Download(String contentType, int contentBytes, Supplier<InputStream> content) {

    /** A browser that displays a download must not run scripts of the mail's sender. */
    private static final String CONTENT_SECURITY_POLICY = "sandbox; default-src 'none'";

    private static final Pattern AMBIGUOUS = Pattern.compile("[^ -~]|[\"\\\\%]");

    /** The value of Content-Disposition for this file name, which has no control characters (RFC 6266, RFC 8187). */
    static String disposition(String filename) {
        // For clients that do not know RFC 8187. Some clients read a backslash or a percent sign as an escape.
        String fallback = AMBIGUOUS.matcher(filename).replaceAll("_");
        String plain = "attachment; filename=\"" + fallback + "\"";
        return fallback.equals(filename) ? plain : plain + "; filename*=UTF-8''" + extended(filename);
    }

    /** Form encoding, with %20 for a space and %2A for a star, which is not an attr-char (RFC 8187 §3.2.1). */
    private static String extended(String filename) {
        return URLEncoder.encode(filename, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
    }

    /** The response to GET; the one to HEAD has the same header fields. */
    Response.ResponseBuilder response(RoutingContext request) {
        Response.ResponseBuilder response = Response.ok()
                .header(HttpHeaders.CONTENT_TYPE, contentType)
                .header(HttpHeaders.CONTENT_LENGTH, contentBytes)
                .header("Content-Security-Policy", CONTENT_SECURITY_POLICY);
        if (!request.request().method().equals(HttpMethod.HEAD)) {
            response.entity((StreamingOutput) this::copy);
        }
        return response;
    }

    /** There is nothing to close. An {@link IOException} is the failure of the client's connection: stored content has none. */
    private void copy(OutputStream client) throws IOException {
        if (content.get().transferTo(client) != contentBytes) {
            throw new IllegalStateException("the content has another length than its structure says");
        }
    }
}
