package dev.oneshot.mailer;

import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Octets;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Requests for tests. */
public final class Requests {

    public static final Instant REQUESTED_AT = Instant.parse("2026-11-20T12:00:00.5Z");
    private static final Random RANDOM = new Random();

    private Requests() {}

    /** An id that no other test uses. */
    public static String newId() {
        StringBuilder id = new StringBuilder();
        RANDOM.ints(24, 0, 32).forEach(i -> id.append("abcdefghijklmnopqrstuvwxyz234567".charAt(i)));
        return id.toString();
    }

    public static MailRequested to(String recipient) {
        return of(
                newId(),
                recipient,
                "Hello",
                "Hello, world\n",
                null,
                List.of(),
                Instant.now().plusSeconds(3600));
    }

    public static MailRequested expiringAt(Instant expiresAt) {
        return of(newId(), "ada@example.org", "Hello", "Hello\n", null, List.of(), expiresAt);
    }

    public static MailRequested mail(
            String subject, @Nullable String text, @Nullable String html, List<MailRequested.Attachment> attachments) {
        return of(
                "cejqwzabcdefghijklmnopqr",
                "ada@example.org",
                subject,
                text,
                html,
                attachments,
                REQUESTED_AT.plusSeconds(3600));
    }

    /** A mail of nothing but files. */
    public static MailRequested attaching(MailRequested.Attachment... files) {
        return mail("s", null, null, List.of(files));
    }

    private static MailRequested of(
            String id,
            String to,
            String subject,
            @Nullable String text,
            @Nullable String html,
            List<MailRequested.Attachment> attachments,
            Instant expiresAt) {
        return new MailRequested(
                id,
                id + "@out.example.org",
                new MailRequested.Mail(to, subject, octets(text), octets(html), attachments),
                REQUESTED_AT,
                expiresAt);
    }

    private static @Nullable Octets octets(@Nullable String text) {
        return text == null ? null : Octets.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
