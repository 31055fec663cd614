package dev.oneshot.client;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An object of a response. Each member has the type of the contract; otherwise an {@link OneshotException} names the member.
 *
 * @param request the request of the response
 */
record Json(Map<?, ?> object, String request) {

    static Json of(Transport.Reply reply) {
        Object value;
        try {
            value = JsonText.read(reply.text());
        } catch (IllegalArgumentException e) {
            throw new OneshotException(reply.flaw("is not JSON (" + e.getMessage() + ")"), e);
        }
        if (value instanceof Map<?, ?> object) {
            return new Json(object, reply.request());
        }
        throw new OneshotException(reply.flaw("is not a JSON object"), null);
    }

    Address address() {
        return new Address(
                string("id"),
                string("address"),
                constant("mode", Mode.class, Mode.UNKNOWN),
                constant("status", Status.class, Status.UNKNOWN),
                instant("expires_at"),
                optional("label"),
                optional("send_to"),
                isNull("email") ? null : member("email").summary());
    }

    private EmailSummary summary() {
        return new EmailSummary(
                string("from"),
                string("subject"),
                instant("received_at"),
                number("size_bytes"),
                flag("has_attachments"),
                (int) number("attachment_count"));
    }

    Email email() {
        Map<String, String> headers = new LinkedHashMap<>();
        Json fields = member("headers");
        fields.object.keySet().forEach(name -> headers.put((String) name, fields.string((String) name)));
        return new Email(
                string("from"),
                string("to"),
                string("subject"),
                string("text_body"),
                string("html_body"),
                headers,
                instant("received_at"),
                number("size_bytes"),
                list("attachments", Json::attachment));
    }

    private Attachment attachment() {
        return new Attachment(
                string("filename"),
                string("content_type"),
                number("size_bytes"),
                string("download_url"),
                optional("content_id"),
                optional("content_location"));
    }

    Account account() {
        Json limits = member("limits");
        return new Account(
                string("id"),
                string("name"),
                string("plan"),
                instant("billing_cycle_ends"),
                number("monthly_allocation"),
                number("used"),
                number("credits"),
                new Account.Limits(
                        (int) limits.number("max_ttl_seconds"),
                        limits.number("max_email_bytes"),
                        limits.number("max_attachment_bytes"),
                        (int) limits.number("requests_per_second"),
                        (int) limits.number("burst")),
                optional("contact_email"));
    }

    /** The body of a request. */
    static String of(CreateAddress request) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("ttl_seconds", request.ttlSeconds());
        body.put("label", request.label());
        Send send = request.send();
        if (send != null) {
            body.put("mode", "send");
            body.put("send", tree(send));
        }
        return JsonText.write(body);
    }

    private static Map<String, @Nullable Object> tree(Send send) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("to", send.to());
        tree.put("subject", send.subject());
        tree.put("text_body", send.textBody());
        tree.put("html_body", send.htmlBody());
        tree.put("attachments", send.attachments().stream().map(Json::tree).toList());
        return tree;
    }

    private static Map<String, @Nullable Object> tree(Send.File file) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("filename", file.filename());
        tree.put("content_type", file.contentType());
        tree.put("content_base64", file.contentBase64());
        return tree;
    }

    boolean isNull(String name) {
        return object.get(name) == null;
    }

    Json member(String name) {
        if (object.get(name) instanceof Map<?, ?> member) {
            return new Json(member, request);
        }
        throw unusable(name, "an object");
    }

    String string(String name) {
        if (object.get(name) instanceof String value) {
            return value;
        }
        throw unusable(name, "a string");
    }

    @Nullable
    String optional(String name) {
        return isNull(name) ? null : string(name);
    }

    long number(String name) {
        if (object.get(name) instanceof Long value) {
            return value;
        }
        throw unusable(name, "an integer");
    }

    <T> List<T> list(String name, Function<Json, T> type) {
        if (!(object.get(name) instanceof List<?> array)) {
            throw unusable(name, "an array");
        }
        List<T> list = new ArrayList<>();
        for (Object element : array) {
            if (!(element instanceof Map<?, ?> item)) {
                throw unusable(name, "an array of objects");
            }
            list.add(type.apply(new Json(item, request)));
        }
        return list;
    }

    private boolean flag(String name) {
        if (object.get(name) instanceof Boolean value) {
            return value;
        }
        throw unusable(name, "a boolean");
    }

    private Instant instant(String name) {
        try {
            return Instant.parse(string(name));
        } catch (DateTimeException e) {
            throw unusable(name, "a timestamp", e);
        }
    }

    /** The contract only adds within a version, so a value that this client does not know is no error. */
    private <E extends Enum<E>> E constant(String name, Class<E> type, E unknown) {
        String value = string(name);
        for (E constant : type.getEnumConstants()) {
            if (constant.name().toLowerCase(Locale.ROOT).equals(value)) {
                return constant;
            }
        }
        return unknown;
    }

    private OneshotException unusable(String name, String type) {
        return unusable(name, type, null);
    }

    private OneshotException unusable(String name, String type, @Nullable Throwable cause) {
        return new OneshotException("the response to " + request + " is unusable: " + name + " is not " + type, cause);
    }
}
