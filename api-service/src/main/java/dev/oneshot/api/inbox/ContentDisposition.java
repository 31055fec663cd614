package dev.oneshot.api.inbox;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The header Content-Disposition of a download (RFC 6266), its file name in UTF-8 where it needs to be (RFC 8187). */
final class ContentDisposition {

    private static final Pattern AMBIGUOUS = Pattern.compile("[^ -~]|[\"\\\\%]");

    private ContentDisposition() {}

    /** The value for this file name, which has no control characters. */
    static String attachment(String filename) {
        String fallback = fallback(filename);
        String plain = "attachment; filename=\"" + fallback + "\"";
        return fallback.equals(filename) ? plain : plain + "; filename*=UTF-8''" + extended(filename);
    }

    /** For clients without RFC 6266: without characters that some read as an escape. */
    private static String fallback(String filename) {
        return AMBIGUOUS.matcher(filename).replaceAll("_");
    }

    /** Form encoding, except for a space and the star, which is no attr-char. */
    private static String extended(String filename) {
        return URLEncoder.encode(filename, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
    }
}
