package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.Envelope;
import dev.oneshot.ingest.smtp.Origin;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.Reply;
import dev.oneshot.ingest.smtp.command.Command;
import dev.oneshot.ingest.smtp.data.Content;
import dev.oneshot.ingest.smtp.data.DataReader;
import dev.oneshot.ingest.smtp.data.MessageFingerprint;
import dev.oneshot.ingest.smtp.session.Output.Next;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The state of a session. Each state has only what it needs. */
sealed interface SessionState {

    /** The event that the session waits for in this state. */
    default Phase phase() {
        return switch (this) {
            // Between chunks the timeout of the content continues; otherwise a message of many small chunks would
            // have none.
            case BetweenChunks _, Receiving _, SkippingChunk _ -> Phase.CONTENT;
            case AwaitingMemory _ -> Phase.MEMORY;
            case Delivering _, StartingTls _ -> Phase.BUSY;
            case Commanding _ -> Phase.COMMAND;
            case Closed _ -> Phase.CLOSED;
        };
    }

    /** The transport's task in this state. */
    default Next next() {
        return switch (this) {
            case AwaitingMemory awaiting ->
                new Next.AwaitMemory(awaiting.receiving().message().content().bytesWanted());
            case Delivering delivering ->
                new Next.Deliver(delivering.transaction(), delivering.message().delivery());
            case StartingTls _ -> new Next.StartTls();
            case Closed closed -> new Next.Close(closed.clientMayBeSending());
            case Commanding _, Receiving _, SkippingChunk _ -> new Next.Read();
        };
    }

    /** The content of an arriving message; empty if none arrives. */
    default Optional<Content> content() {
        return switch (this) {
            case Receiving receiving -> Optional.of(receiving.message().content());
            case AwaitingMemory awaiting -> awaiting.receiving().content();
            case BetweenChunks between -> Optional.of(between.message().content());
            case Commanding _, SkippingChunk _, Delivering _, StartingTls _, Closed _ -> Optional.empty();
        };
    }

    /** Ends the connection and releases the memory of an arriving message. */
    default SessionState closed(boolean clientMayBeSending) {
        if (this instanceof Closed || this instanceof Delivering) {
            // Already closed, or the delivery still uses the octets, and settle releases them.
            return this;
        }
        content().ifPresent(Content::release);
        return new Closed(clientMayBeSending);
    }

    /** The client may send a command. */
    sealed interface Commanding extends SessionState {}

    /** The greeting is sent; the client has not sent EHLO or HELO. */
    record Connected() implements Commanding {}

    /** After EHLO or HELO; no mail transaction is open. */
    record Ready(Origin origin) implements Commanding {}

    /**
     * A mail transaction is open.
     *
     * @param recipientsRefused whether any was
     */
    record MailGiven(Origin origin, Command.Mail mail, List<Recipient> recipients, boolean recipientsRefused)
            implements Commanding {
        MailGiven rcpt(Recipient recipient) {
            List<Recipient> all = new ArrayList<>(recipients);
            all.add(recipient);
            return new MailGiven(origin, mail, List.copyOf(all), recipientsRefused);
        }

        MailGiven rcptRefused() {
            return new MailGiven(origin, mail, recipients, true);
        }
    }

    /** A chunk is complete, and it was not the last (RFC 3030). */
    record BetweenChunks(Message message) implements Commanding {}

    /** Content arrives. */
    sealed interface Receiving extends SessionState {
        Message message();
    }

    /** There is no memory for the next octets of the content; nothing is read. */
    record AwaitingMemory(Receiving receiving) implements SessionState {}

    /** After 354: all octets up to CRLF.CRLF are content. */
    record ReceivingData(Message message, DataReader reader) implements Receiving {}

    /** After BDAT: this many octets are content. */
    record ReceivingChunk(Message message, Command.Bdat chunk, long bytesLeft) implements Receiving {}

    /** After a rejected BDAT: its octets are read (RFC 3030 §2), then the reply is sent. */
    record SkippingChunk(Commanding before, Reply reply, long bytesLeft) implements SessionState {}

    /** The message is being stored; nothing is read. */
    record Delivering(Message message, MailTransaction transaction) implements SessionState {}

    /** After the 220 to STARTTLS: the handshake follows. */
    record StartingTls() implements SessionState {}

    /** Nothing more is read or sent. */
    record Closed(boolean clientMayBeSending) implements SessionState {}

    /** An arriving message. */
    record Message(
            String transactionId, Origin origin, Envelope envelope, Content content, MailDelivery.Incoming delivery) {

        /** The state after this message: no mail transaction is open. */
        Ready over() {
            return new Ready(origin);
        }

        MailTransaction received(Instant now) {
            return new MailTransaction(transactionId, origin, envelope, content.octets(), now, "");
        }

        MessageFingerprint fingerprint() {
            return content.fingerprint(envelope.reversePath());
        }
    }
}
