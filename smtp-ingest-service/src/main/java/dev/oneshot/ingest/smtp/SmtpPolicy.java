package dev.oneshot.ingest.smtp;

import dev.oneshot.authentication.results.AuthservId;
import org.jspecify.annotations.Nullable;

/**
 * The bounds and names of a session.
 *
 * @param hostname the server's name in the greeting and in {@code Received}
 * @param authservId the server's name in {@code Authentication-Results}
 * @param messageBytesMax the largest message any recipient accepts, in octets as the client counts them (RFC 1870)
 * @param recipientsMax the most recipients of one message, at least 100 (RFC 5321 §4.5.3.1.8)
 * @param messagesMax the most mail transactions of one connection
 * @param errorsMax the most 5xx replies before the connection is closed with 421
 * @param commandsMax the most commands without a message among them before the connection is closed with 421;
 *     non-empty chunks do not count, as the content has its own bounds
 * @param headerBytesMax the largest header section of a message, in octets
 * @param contentLineBytesMax the longest line of a message, in octets with its end
 * @param discardBytesMax how much of a message that is too large is read and discarded, so that the client gets its
 *     reply; beyond, the connection is closed
 * @param postmaster where mail to {@code postmaster} and {@code abuse} is relayed; null if it is rejected
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
        @Nullable Postmaster postmaster) {

    /**
     * The operator's mailbox.
     *
     * @param mailbox in ASCII; of another domain
     * @param messageBytesMax the largest message for it, at least 1
     */
    public record Postmaster(Mailbox mailbox, long messageBytesMax) {}
}
