package dev.oneshot.ingest.smtp;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of a session, and the name it speaks under.
 *
 * @param hostname our name in the greeting and in {@code Received}
 * @param authservId our name in {@code Authentication-Results}
 * @param messageBytesMax the largest message any recipient takes, in octets as the client counts them (RFC 1870)
 * @param recipientsMax the most recipients of one message, at least 100 (RFC 5321 §4.5.3.1.8)
 * @param messagesMax the most mail transactions of one connection
 * @param errorsMax the most 5xx replies before the connection is closed with 421
 * @param commandsMax the most commands without a message among them before the connection is closed with 421; chunks
 *     with octets do not count, as the content has bounds of its own
 * @param headerBytesMax the largest header section of a message, in octets
 * @param contentLineBytesMax the longest line of a message, in octets with its end
 * @param discardBytesMax how much of a message is read on and thrown away once it has been found too large, so that
 *     the client can be told; beyond, the connection is closed
 * @param postmaster where mail to our postmaster is read instead; null if nowhere
 */
public record SmtpPolicy(
        String hostname,
        AuthservId authservId,
        long messageBytesMax,
        int recipientsMax,
        int messagesMax,
        int errorsMax,
        int commandsMax,
        int headerBytesMax,
        int contentLineBytesMax,
        long discardBytesMax,
        @Nullable Mailbox postmaster) {

    /** A command line, its CRLF included, unless an extension allows more (RFC 5321 §4.5.3.1.4). */
    static final int COMMAND_LINE_BYTES_MAX = 512;

    // SIZE +26 (RFC 1870 §3), 8BITMIME +17 (RFC 6152 §2), SMTPUTF8 +10 (RFC 6531 §3.1), DSN: ENVID=, RET= (RFC 3461).
    private static final int MAIL_LINE_BYTES_MAX = COMMAND_LINE_BYTES_MAX + 26 + 17 + 10 + 107 + 9;
    // SMTPUTF8 +10 (RFC 6531 §3.1), DSN: NOTIFY=, ORCPT= (RFC 3461 §4).
    private static final int RCPT_LINE_BYTES_MAX = COMMAND_LINE_BYTES_MAX + 10 + 29 + 507;

    /** The longest line of any command. */
    static final int ANY_LINE_BYTES_MAX = RCPT_LINE_BYTES_MAX;

    public SmtpPolicy {
        Objects.requireNonNull(hostname, "hostname");
        Objects.requireNonNull(authservId, "authservId");
        requirePositive("messageBytesMax", messageBytesMax);
        requirePositive("recipientsMax", recipientsMax);
        requirePositive("messagesMax", messagesMax);
        requirePositive("errorsMax", errorsMax);
        requirePositive("commandsMax", commandsMax);
        requirePositive("headerBytesMax", headerBytesMax);
        requirePositive("contentLineBytesMax", contentLineBytesMax);
        requirePositive("discardBytesMax", discardBytesMax);
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, not " + value);
        }
    }

    int commandLineBytesMax(String verb) {
        return switch (verb) {
            case "MAIL" -> MAIL_LINE_BYTES_MAX;
            case "RCPT" -> RCPT_LINE_BYTES_MAX;
            default -> COMMAND_LINE_BYTES_MAX;
        };
    }
}
