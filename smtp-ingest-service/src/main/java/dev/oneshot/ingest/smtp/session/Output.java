package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.data.MemoryBudget;

/**
 * The transport's next task.
 *
 * @param replies to be written at once; may be empty
 * @param next to be done after that
 */
@SuppressWarnings("ArrayRecordComponent") // Written to a socket, never compared.
public record Output(byte[] replies, Next next) {

    /** The task after the replies. */
    public sealed interface Next {

        /**
         * Read, and pass on the octets. If input remains, the client has many unread replies: first wait until it has read them,
         * and call {@link SmtpSession#proceed}.
         */
        record Read() implements Next {}

        /** Store the transaction with its delivery, then call {@link SmtpSession#settle}; pass on nothing before. */
        record Deliver(MailTransaction transaction, MailDelivery.Incoming delivery) implements Next {}

        /**
         * Reserve these octets in the session's {@link MemoryBudget}, or end the wait without them. Then call {@link
         * SmtpSession#proceedWithMemory}; pass on nothing before.
         */
        record AwaitMemory(int octets) implements Next {}

        /** Discard the remaining input, make the TLS handshake, then call {@link SmtpSession#secured}. */
        record StartTls() implements Next {}

        /**
         * Close the connection.
         *
         * @param clientMayBeSending whether octets may still arrive: closing at once would then reset the connection,
         *     and the client might lose the last reply
         */
        record Close(boolean clientMayBeSending) implements Next {}
    }
}
