package dev.oneshot.api.http;

import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Media types that a client does not accept: those with the weight 0 (RFC 9110 §12.4.2). */
public final class RefusedTypes {

    /** The ranges that JSON is in. The most specific one that is given counts (RFC 9110 §12.5.1). */
    private static final List<Pattern> JSON = List.of(range("application/json"), range("application/*"), range("*/*"));

    private static final Pattern WEIGHT_ZERO = Pattern.compile(".*;[ \\t]*[qQ]=0(?:\\.0{0,3})?[ \\t]*(?:;.*)?");

    private RefusedTypes() {}

    /** Whether Accept says that a response must not be JSON. Other types that do not include JSON are left to JAX-RS. */
    public static boolean includeJson(HttpServerRequest request) {
        List<String> fields = request.headers().getAll("Accept");
        if (fields.stream().noneMatch(field -> field.contains("=0"))) {
            // True of nearly all requests, which are spared the rest.
            return false;
        }
        List<String> ranges = fields.stream()
                .flatMap(field -> Arrays.stream(field.split(",")))
                .map(String::strip)
                .toList();
        return JSON.stream()
                .map(json -> ranges.stream()
                        .filter(range -> json.matcher(range).matches())
                        .toList())
                .filter(matching -> !matching.isEmpty())
                .findFirst()
                .map(matching -> matching.stream()
                        .allMatch(range -> WEIGHT_ZERO.matcher(range).matches()))
                .orElse(false);
    }

    private static Pattern range(String type) {
        return Pattern.compile(Pattern.quote(type) + "[ \\t]*(?:;.*)?", Pattern.CASE_INSENSITIVE);
    }
}
