package dev.oneshot.api.console;

import dev.oneshot.api.body.BodyDigest;
import dev.oneshot.api.http.ClassPathFile;
import io.vertx.core.buffer.Buffer;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

    /** The build copies them from {@code console/src}. */
    static final List<String> NAMES = List.of(
            "index.html",
            "frame.html",
            "frame.js",
            "icon.svg",
            "console.css",
            "console.js",
            "account.js",
            "address.js",
            "attachments.js",
            "dom.js",
            "email.css",
            "email.js",
            "html.js",
            "links.js",
            "list.js",
            "new-address.js",
            "send.js",
            "session.js",
            "shell.js",
            "size.html",
            "size.js",
            "unread.js",
            "zip.js",
            "client/authentication.js",
            "client/checks.js",
            "client/client.js",
            "client/code-line.js",
            "client/codes.js",
            "client/email.js",
            "client/errors.js",
            "client/html.js",
            "client/links.js",
            "client/time.js",
            "client/transport.js",
            "client/visibility.js",
            "client/vocabulary.js",
            "client/words.js");

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

    /** The page that measures an e-mail has an origin of its own as well, and loads nothing at all. */
    private static final String SIZE_POLICY = "sandbox allow-scripts; default-src 'none'; script-src 'self'; "
            + "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

    /** A script or style is no page: the policies of the pages that use it hold. This one is short, as there are many files. */
    private static final String PART_POLICY = "default-src 'none'";

    private static final String PRICE = "<meta name=\"credit-price\" content=\"%s\">";

    /**
     * All files by their paths. The path of the page is the folder's.
     *
     * @param creditPrice the price of a credit that the page shows, such as {@code 0.01 EUR}; empty if it shows none
     */
    static Map<String, ConsoleFile> readAll(String folder, String creditPrice) {
        Map<String, ConsoleFile> files = new LinkedHashMap<>();
        for (String name : NAMES) {
            Buffer content = ClassPathFile.read(ConsoleFile.class, "files/" + name);
            if (name.equals("index.html")) {
                String page = content.toString().replace(PRICE.formatted(""), PRICE.formatted(creditPrice));
                files.put(folder, of(name, Buffer.buffer(page)));
            } else {
                files.put(folder + name, of(name, content));
            }
        }
        return Map.copyOf(files);
    }

    private static ConsoleFile of(String name, Buffer content) {
        byte[] digest = BodyDigest.sha256().digest(content.getBytes());
        return new ConsoleFile(
                typeOf(name), "W/\"" + HexFormat.of().formatHex(digest, 0, ETAG_BYTES) + '"', policyOf(name), content);
    }

    /** Whether a browser can open the file as a page. Some header fields have no effect on scripts and styles. */
    boolean isDocument() {
        return isDocument(type);
    }

    private static boolean isDocument(String type) {
        return type.startsWith("text/html") || type.startsWith("image/");
    }

    private static String policyOf(String name) {
        if (name.startsWith("frame.")) {
            return FRAME_POLICY;
        }
        if (name.startsWith("size.")) {
            return SIZE_POLICY;
        }
        return isDocument(typeOf(name)) ? PAGE_POLICY : PART_POLICY;
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
