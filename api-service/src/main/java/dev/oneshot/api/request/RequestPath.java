package dev.oneshot.api.request;

import io.vertx.core.http.HttpServerRequest;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The path of a request, with unreserved characters decoded: {@code %30} and {@code 0} are equal (RFC 3986 §6.2.2.2). Everything else
 * is literal: no other escape is decoded, no dot segment removed, no slash merged.
 */
public final class RequestPath {

    private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");
    private static final Pattern UNRESERVED = Pattern.compile("[A-Za-z0-9._~-]");

    private RequestPath() {}

    /** The path of a request. If it has none, the text {@code "null"}, which equals no path. */
    public static String of(HttpServerRequest request) {
        return decoded(String.valueOf(request.path()));
    }

    static String decoded(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        return ESCAPE.matcher(path).replaceAll(escape -> {
            String character = Character.toString(HexFormat.fromHexDigits(escape.group(1)));
            return UNRESERVED.matcher(character).matches() ? character : escape.group();
        });
    }
}
