package dev.oneshot.client;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
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
 * An object of a response. Each member has the type of the contract, or an {@link OneshotException} names the one that has not.
 *
 * @param request the request of the response
 */
record Json(JsonObject object, String request) {

    private static final Gson GSON = new Gson();

    static Json of(Transport.Reply reply) {
        try (JsonReader reader = new JsonReader(new StringReader(reply.text()))) {
            reader.setStrictness(Strictness.STRICT);
            JsonElement element = GSON.getAdapter(JsonElement.class).read(reader);
            if (element instanceof JsonObject object && reader.peek() == JsonToken.END_DOCUMENT) {
                return new Json(object, reply.call().toString());
            }
            throw new OneshotException("the response to " + reply.call() + " is not a JSON object", null);
        } catch (IOException | JsonParseException | NumberFormatException e) {
            throw new OneshotException("the response to " + reply.call() + " is not JSON: " + e.getMessage(), e);
        }
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
        fields.object.keySet().forEach(name -> headers.put(name, fields.string(name)));
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
                optional("content_id"));
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
        JsonObject body = new JsonObject();
        body.addProperty("ttl_seconds", request.ttlSeconds());
        body.addProperty("label", request.label());
        Send send = request.send();
        if (send != null) {
            body.addProperty("mode", "send");
            body.add("send", tree(send));
        }
        return GSON.toJson(body);
    }

    private static JsonObject tree(Send send) {
        JsonObject tree = new JsonObject();
        tree.addProperty("to", send.to());
        tree.addProperty("subject", send.subject());
        tree.addProperty("text_body", send.textBody());
        tree.addProperty("html_body", send.htmlBody());
        JsonArray attachments = new JsonArray();
        for (Send.File file : send.attachments()) {
            JsonObject attachment = new JsonObject();
            attachment.addProperty("filename", file.filename());
            attachment.addProperty("content_type", file.contentType());
            attachment.addProperty("content_base64", file.contentBase64());
            attachments.add(attachment);
        }
        tree.add("attachments", attachments);
        return tree;
    }

    boolean isNull(String name) {
        JsonElement value = object.get(name);
        return value == null || value.isJsonNull();
    }

    Json member(String name) {
        if (object.get(name) instanceof JsonObject member) {
            return new Json(member, request);
        }
        throw unusable(name, "an object");
    }

    String string(String name) {
        if (object.get(name) instanceof JsonPrimitive value && value.isString()) {
            return value.getAsString();
        }
        throw unusable(name, "a string");
    }

    @Nullable
    String optional(String name) {
        return isNull(name) ? null : string(name);
    }

    long number(String name) {
        if (object.get(name) instanceof JsonPrimitive value
                && value.isNumber()
                && value.getAsString().matches("-?\\d{1,18}")) {
            return value.getAsLong();
        }
        throw unusable(name, "an integer");
    }

    <T> List<T> list(String name, Function<Json, T> type) {
        if (!(object.get(name) instanceof JsonArray array)) {
            throw unusable(name, "an array");
        }
        List<T> list = new ArrayList<>();
        for (JsonElement element : array) {
            if (!(element instanceof JsonObject item)) {
                throw unusable(name, "an array of objects");
            }
            list.add(type.apply(new Json(item, request)));
        }
        return list;
    }

    private boolean flag(String name) {
        if (object.get(name) instanceof JsonPrimitive value && value.isBoolean()) {
            return value.getAsBoolean();
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
