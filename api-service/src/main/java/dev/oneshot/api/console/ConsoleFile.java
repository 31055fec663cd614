package dev.oneshot.api.console;

import dev.oneshot.api.http.BodyDigest;
import dev.oneshot.api.http.ClassPathFile;
import io.vertx.core.buffer.Buffer;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file of the console, read from the class path.
 *
 * @param type the value of Content-Type
 * @param etag a weak one, as the response may be compressed
 * @param policy the value of Content-Security-Policy
 * @param bytes the content
 */
record ConsoleFile(String type, String etag, String policy, Buffer bytes) {

    private static final int ETAG_BYTES = 12;

    /** No such name leads out of the folder. */
    private static final Pattern NAME = Pattern.compile("([a-z]+/)?[a-z]+\\.(html|css|js|svg)");

    /** The page runs its own modules and requests its own origin, nothing else. */
    private static final String PAGE_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "img-src 'self' blob:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    /**
     * The page with the e-mail has an origin of its own. Documents that it creates inherit this policy, so an e-mail
     * can load no more than this. Its own policy allows remote images only if the reader asks for them.
     */
    private static final String FRAME_POLICY = "sandbox allow-scripts; default-src 'none'; script-src 'self'; "
            + "style-src 'unsafe-inline'; img-src data: https: http:; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'self'";

    /** The file of this name in the folder that the build copies from {@code console/src}; null if there is none. */
    static @Nullable ConsoleFile find(String name) {
        if (!NAME.matcher(name).matches() || ConsoleFile.class.getResource("files/" + name) == null) {
            return null;
        }
        Buffer content = ClassPathFile.read(ConsoleFile.class, "files/" + name);
        byte[] digest = BodyDigest.sha256().digest(content.getBytes());
        return new ConsoleFile(
                typeOf(name),
                "W/\"" + HexFormat.of().formatHex(digest, 0, ETAG_BYTES) + '"',
                name.startsWith("frame.") ? FRAME_POLICY : PAGE_POLICY,
                content);
    }

    private static String typeOf(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html;charset=UTF-8";
            case "css" -> "text/css;charset=UTF-8";
            case "js" -> "text/javascript;charset=UTF-8";
            case "svg" -> "image/svg+xml";
            default -> throw new IllegalStateException("a file of the console has no known type: " + name);
        };
    }
}
