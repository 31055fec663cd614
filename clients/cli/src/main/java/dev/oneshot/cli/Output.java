package dev.oneshot.cli;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import dev.oneshot.client.Account;
import dev.oneshot.client.Address;
import dev.oneshot.client.Attachment;
import dev.oneshot.client.Code;
import dev.oneshot.client.Email;
import dev.oneshot.client.Link;
import dev.oneshot.client.Mode;
import dev.oneshot.client.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Prints the results of commands: as text, or as JSON with the members of the API. */
final class Output {

    private static final JsonSerializer<Object> LOWER_CASE =
            (value, type, context) -> new JsonPrimitive(value.toString().toLowerCase(Locale.ROOT));

    private static final Gson GSON = new GsonBuilder()
            .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
            .registerTypeAdapter(Instant.class, (JsonSerializer<Instant>)
                    (value, type, context) -> new JsonPrimitive(value.toString()))
            .registerTypeAdapter(Mode.class, LOWER_CASE)
            .registerTypeAdapter(Status.class, LOWER_CASE)
            .disableHtmlEscaping()
            .serializeNulls()
            .create();

    /** Characters that a terminal may take for a command, or that reverse the order of text (UAX #9). */
    private static final Pattern CONTROLS = Pattern.compile("[\\p{Cc}&&[^\\n\\t]]|[\\u202a-\\u202e\\u2066-\\u2069]");
    /** The controls that Gson leaves as they are. */
    private static final Pattern UNESCAPED = Pattern.compile("[\\x7f-\\x9f]");

    private final PrintStream out;
    private final boolean json;

    Output(PrintStream out, boolean json) {
        this.out = out;
        this.json = json;
    }

    void created(Address address) {
        print(address, address.address(), "send_to", "email");
    }

    /** A line for each address; stops if no one reads on. */
    void addresses(Iterable<Address> addresses) {
        for (Address address : addresses) {
            String subject = address.email() == null ? "" : line(address.email().subject());
            print(
                    address,
                    String.join(
                            "\t",
                            address.address(),
                            lowerCase(address.status()),
                            address.expiresAt().toString(),
                            address.label() == null ? "" : line(address.label()),
                            subject),
                    "send_to");
            if (out.checkError()) {
                return;
            }
        }
    }

    void email(Email email) {
        StringBuilder text = new StringBuilder();
        text.append("From: ").append(line(email.from())).append('\n');
        text.append("To: ").append(line(email.to())).append('\n');
        text.append("Subject: ").append(line(email.subject())).append('\n');
        text.append("Received: ").append(email.receivedAt()).append('\n');
        List<Attachment> attachments = email.attachments();
        for (int i = 0; i < attachments.size(); i++) {
            Attachment attachment = attachments.get(i);
            text.append("Attachment ").append(i).append(": ").append(line(attachment.filename()));
            text.append(" (").append(line(attachment.contentType())).append(", ");
            text.append(attachment.sizeBytes()).append(" bytes)\n");
        }
        print(email, text.append('\n').append(email.text().strip()).toString());
    }

    void code(Code code) {
        print(code, code.value());
    }

    void link(Link link) {
        print(link, line(link.href()));
    }

    void account(Account account) {
        print(
                account,
                "Name: %s%nPlan: %s%nUsed: %d of %d addresses, until %s%nCredits: %d"
                        .formatted(
                                line(account.name()),
                                line(account.plan()),
                                account.used(),
                                account.monthlyAllocation(),
                                account.billingCycleEnds(),
                                account.credits()),
                "contact_email");
    }

    /** Copies the stream as it is, and closes it. */
    void content(InputStream content) throws IOException {
        try (content) {
            content.transferTo(out);
        }
    }

    /** The text without control characters and reversed order; an e-mail may have any. */
    static String visible(String text) {
        return CONTROLS.matcher(text).replaceAll("");
    }

    private static String line(String text) {
        return text.replaceAll("\\s+", " ");
    }

    private static String lowerCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** The API leaves out the optional members rather than sending null. */
    private void print(Object value, String text, String... optionalMembers) {
        if (json) {
            JsonObject object = GSON.toJsonTree(value).getAsJsonObject();
            Stream.of(optionalMembers)
                    .filter(member -> object.get(member).isJsonNull())
                    .forEach(object::remove);
            out.println(escaped(GSON.toJson(object)));
        } else {
            out.println(visible(text));
        }
    }

    private static String escaped(String json) {
        return UNESCAPED
                .matcher(json)
                .replaceAll(
                        control -> "\\\\u%04x".formatted((int) control.group().charAt(0)));
    }
}
