package dev.oneshot.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The service's results about the sender of an e-mail: its field {@code Authentication-Results} (RFC 8601).
 *
 * @param results in the order of the field
 */
public record Authentication(List<Result> results) {

    private static final String NONE = "none";

    /**
     * One result.
     *
     * @param method {@code spf}, {@code dkim} or {@code dmarc}
     * @param result such as {@code pass}, {@code fail} or {@code none}
     * @param reason why it is no pass; may be empty
     * @param properties the checked properties, such as {@code header.d}
     */
    public record Result(String method, String result, String reason, Map<String, String> properties) {

        /** Copies the properties. */
        public Result {
            properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        }
    }

    /** Copies the results. */
    public Authentication {
        results = List.copyOf(results);
    }

    /** SPF of the sender in MAIL, or of the name in EHLO if there was none. */
    public String spf() {
        return first("spf");
    }

    /** DKIM: {@code pass} if any signature passes, else the first result. */
    public String dkim() {
        boolean pass = results.stream()
                .anyMatch(each -> each.method().equals("dkim") && each.result().equals("pass"));
        return pass ? "pass" : first("dkim");
    }

    /** DMARC of the domain in From: {@code assertEquals("pass", email.authentication().orElseThrow().dmarc())}. */
    public String dmarc() {
        return first("dmarc");
    }

    private String first(String method) {
        return results.stream()
                .filter(each -> each.method().equals(method))
                .map(Result::result)
                .findFirst()
                .orElse(NONE);
    }

    /**
     * The field of a service. It removes fields that came with its name, so the one with its name is its own.
     *
     * @param fields the values of all such fields, joined with line feeds
     * @param authservId the service's name
     */
    static Optional<Authentication> of(String fields, String authservId) {
        for (String field : fields.split("\n", -1)) {
            List<String> parts = split(field, ";");
            // Not equalsIgnoreCase, for which a dotless i is an i.
            String name = parts.get(0).strip().toLowerCase(Locale.ROOT);
            if (name.equals(authservId.toLowerCase(Locale.ROOT))) {
                List<Result> results = new ArrayList<>();
                parts.subList(1, parts.size()).forEach(part -> result(part).ifPresent(results::add));
                return Optional.of(new Authentication(results));
            }
        }
        return Optional.empty();
    }

    private static Optional<Result> result(String part) {
        String method = "";
        String result = "";
        String reason = "";
        Map<String, String> properties = new LinkedHashMap<>();
        for (String word : split(part, " \t")) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                String name = word.substring(0, equals).toLowerCase(Locale.ROOT);
                String value = word.substring(equals + 1);
                if (method.isEmpty()) {
                    method = name;
                    result = value.toLowerCase(Locale.ROOT);
                } else if (name.equals("reason")) {
                    reason = value;
                } else {
                    properties.putIfAbsent(name, value);
                }
            }
        }
        return method.isEmpty() ? Optional.empty() : Optional.of(new Result(method, result, reason, properties));
    }

    /** Splits at characters outside quotes, and removes the quotes if they are blanks. */
    private static List<String> split(String text, String separators) {
        boolean words = separators.indexOf(' ') >= 0;
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            }
            if (!quoted && separators.indexOf(c) >= 0) {
                parts.add(part.toString());
                part.setLength(0);
            } else if (c != '"' || !words) {
                part.append(c);
            }
        }
        parts.add(part.toString());
        return parts;
    }
}
