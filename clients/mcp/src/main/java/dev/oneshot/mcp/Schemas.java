package dev.oneshot.mcp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON schemas of arguments and results. */
final class Schemas {

    static final int TIMEOUT_SECONDS_MAX = 50;
    static final int TIMEOUT_SECONDS_DEFAULT = 30;
    static final int LIST_MAX = 50;
    static final int LIST_DEFAULT = 20;

    static final Map<String, Object> ADDRESS = Map.of(
            "type", "string",
            "pattern", "^[A-Za-z0-9-]{1,64}(@.*)?$",
            "description", "the address, or its id");
    static final Map<String, Object> LABEL =
            Map.of("type", "string", "minLength", 1, "maxLength", 255, "description", "a name for the address");
    static final Map<String, Object> TTL_SECONDS =
            integer(60, 86_400, "the lifetime of the address; by default an hour");
    static final Map<String, Object> TIMEOUT_SECONDS =
            integer(1, TIMEOUT_SECONDS_MAX, "how long to wait; by default " + TIMEOUT_SECONDS_DEFAULT);
    static final Map<String, Object> OFFSET =
            integer(0, Integer.MAX_VALUE, "where to start in the text, as next_offset says; by default 0");
    static final Map<String, Object> INDEX = integer(0, 10_000, "the position of the attachment, from 0");
    static final Map<String, Object> LIMIT =
            integer(1, LIST_MAX, "how many addresses at most; by default " + LIST_DEFAULT);

    private static final Map<String, Object> TEXT = Map.of("type", "string");
    private static final Map<String, Object> NUMBER = Map.of("type", "integer");
    private static final Map<String, Object> STATUS =
            Map.of("type", "string", "enum", List.of("received", "timed_out"));

    static final Map<String, Object> CREATED =
            result(Map.of("address", TEXT, "id", TEXT, "expires_at", TEXT), List.of("address", "id", "expires_at"));
    static final Map<String, Object> CODE = result(Map.of("status", STATUS, "code", TEXT), List.of("status"));
    static final Map<String, Object> LINK = result(Map.of("status", STATUS, "url", TEXT), List.of("status"));
    static final Map<String, Object> EMAIL = email();
    static final Map<String, Object> SENT = result(Map.of("address", TEXT), List.of("address"));
    static final Map<String, Object> DELETED = result(Map.of("deleted", Map.of("type", "boolean")), List.of("deleted"));
    static final Map<String, Object> ADDRESSES = addresses();
    static final Map<String, Object> ACCOUNT = account();
    static final Map<String, Object> ATTACHMENT = result(
            Map.of("filename", TEXT, "content_type", TEXT, "size_bytes", NUMBER, "text", TEXT, "next_offset", NUMBER),
            List.of("filename", "content_type", "size_bytes"));

    private Schemas() {}

    static Map<String, Object> arguments(Map<String, Map<String, Object>> properties, List<String> required) {
        return Map.of("type", "object", "properties", properties, "required", required, "additionalProperties", false);
    }

    private static Map<String, Object> result(Map<String, ?> properties, List<String> required) {
        return Map.of("type", "object", "properties", properties, "required", required);
    }

    private static Map<String, Object> integer(int minimum, int maximum, String description) {
        return Map.of("type", "integer", "minimum", minimum, "maximum", maximum, "description", description);
    }

    private static Map<String, Object> listOf(Map<String, ?> properties) {
        return Map.of("type", "array", "items", Map.of("type", "object", "properties", properties));
    }

    private static Map<String, Object> email() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("status", STATUS);
        List.of("from", "to", "subject", "received_at", "text").forEach(name -> properties.put(name, TEXT));
        properties.put("next_offset", NUMBER);
        properties.put("links", listOf(Map.of("text", TEXT, "url", TEXT)));
        properties.put(
                "attachments",
                listOf(Map.of("index", NUMBER, "filename", TEXT, "content_type", TEXT, "size_bytes", NUMBER)));
        return result(properties, List.of("status"));
    }

    private static Map<String, Object> addresses() {
        Map<String, Object> properties = new LinkedHashMap<>();
        List.of("address", "mode", "status", "expires_at", "label", "from", "subject")
                .forEach(name -> properties.put(name, TEXT));
        return result(
                Map.of("addresses", listOf(properties), "has_more", Map.of("type", "boolean")),
                List.of("addresses", "has_more"));
    }

    private static Map<String, Object> account() {
        Map<String, Object> properties = new LinkedHashMap<>();
        List.of("name", "plan", "billing_cycle_ends").forEach(name -> properties.put(name, TEXT));
        List.of("monthly_allocation", "used", "credits", "max_ttl_seconds", "max_email_bytes")
                .forEach(name -> properties.put(name, NUMBER));
        return result(properties, List.copyOf(properties.keySet()));
    }
}
