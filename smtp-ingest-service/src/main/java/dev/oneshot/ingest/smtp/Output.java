package dev.oneshot.ingest.smtp;

/**
 * What the transport has to do now.
 *
 * @param replies to be written in one go; may be empty
 * @param next what to do after that
 */
@SuppressWarnings("ArrayRecordComponent") // Written to a socket, never compared.
public record Output(byte[] replies, Next next) {

    /** What follows the replies. */
    public sealed interface Next {

        /** Read on, and hand in what comes. */
        record Read() implements Next {}

        /**
         * Read nothing, and once the client has taken its replies, of which there are many, {@link SmtpSession#goOn} with
         * what has not been consumed: whoever asks and does not listen holds no more than this.
         */
        record AwaitDrain() implements Next {}

        /** Store this, then {@link SmtpSession#settle}; hand in nothing until then. */
        record Deliver(MailTransaction transaction) implements Next {}

        /**
         * Take so many octets out of the session's {@link MemoryBudget} as soon as they are there, or wait for them no
         * longer, then {@link SmtpSession#room}; hand in nothing until then.
         */
        record AwaitRoom(int octets) implements Next {}

        /**
         * Throw away what has been read and not been consumed, make the TLS handshake, then
         * {@link SmtpSession#secured}.
         */
        record StartTls() implements Next {}

        /**
         * Close the connection.
         *
         * @param clientMayBeSending whether octets may still be on their way, so that closing at once would reset the
         *     connection, and the client might lose our last words
         */
        record Close(boolean clientMayBeSending) implements Next {}
    }
}
