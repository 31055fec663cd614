package dev.oneshot.api.request;

import io.vertx.core.http.HttpServerRequest;
import java.util.HexFormat;

/**
 * The path of a request, with unreserved characters decoded: {@code %30} and {@code 0} are equal (RFC 3986 §6.2.2.2). Everything else
 * is literal: no other escape is decoded, no dot segment removed, no slash merged.
 */
public final class RequestPath {

    private static final int ESCAPE_LENGTH = 3;

    private RequestPath() {}

    /** The path of a request. If it has none, the text {@code "null"}, which equals no path. */
    public static String of(HttpServerRequest request) {
        return decoded(String.valueOf(request.path()));
    }

    static String decoded(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        StringBuilder decoded = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            char next = path.charAt(i);
            if (next == '%' && isUnreserved(byteOfEscape(path, i))) {
                next = (char) byteOfEscape(path, i);
                i += ESCAPE_LENGTH - 1;
            }
            decoded.append(next);
        }
        return decoded.toString();
    }

    /** The byte of the escape at this index, or -1. */
    private static int byteOfEscape(String path, int at) {
        boolean isEscape = at + ESCAPE_LENGTH <= path.length()
                && HexFormat.isHexDigit(path.charAt(at + 1))
                && HexFormat.isHexDigit(path.charAt(at + 2));
        return isEscape ? HexFormat.fromHexDigits(path, at + 1, at + ESCAPE_LENGTH) : -1;
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }
}
