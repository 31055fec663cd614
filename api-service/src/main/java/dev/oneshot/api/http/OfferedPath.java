package dev.oneshot.api.http;

import dev.oneshot.api.request.RequestPath;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A path of the public port with its methods. Any other path is 404, except that the console is checked earlier.
 *
 * @param template with parameters in braces
 * @param pattern what matches it
 * @param methods in alphabetical order, with HEAD and OPTIONS
 */
record OfferedPath(String template, Pattern pattern, List<String> methods) {

    static final List<OfferedPath> ALL = List.of(
            of("/openapi", "GET", "HEAD"),
            of("/v1/account", "GET", "HEAD"),
            of("/v1/account/api-key", "POST"),
            of("/v1/account/credits", "POST"),
            of("/v1/addresses", "DELETE", "GET", "HEAD", "POST"),
            of("/v1/addresses/{id}", "DELETE", "GET", "HEAD"),
            of("/v1/addresses/{id}/email", "GET", "HEAD"),
            of("/v1/addresses/{id}/email/raw", "GET", "HEAD"),
            of("/v1/addresses/{id}/email/attachments/{index}", "GET", "HEAD"));

    private static OfferedPath of(String template, String... methods) {
        // A parameter has no dots, semicolons or escapes, which the router and JAX-RS would interpret.
        String pattern = template.replaceAll("\\{[a-z]+}", "[A-Za-z0-9]+");
        return new OfferedPath(
                template,
                Pattern.compile(pattern),
                Stream.concat(Stream.of(methods), Stream.of("OPTIONS")).sorted().toList());
    }

    /** Whether the response has content, and that is JSON. */
    boolean respondsWithJson(HttpMethod method) {
        return template.startsWith("/v1") && !template.contains("/email/") && !method.equals(HttpMethod.DELETE);
    }

    /** The entry of a path, as {@link RequestPath} reads it. */
    static Optional<OfferedPath> at(String path) {
        // No stream: it would cost each request as much as matching the patterns.
        for (OfferedPath offered : ALL) {
            if (offered.pattern.matcher(path).matches()) {
                return Optional.of(offered);
            }
        }
        return Optional.empty();
    }
}
