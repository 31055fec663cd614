package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.Envelope;
import dev.oneshot.ingest.smtp.Origin;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.Reply;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.command.Command;
import dev.oneshot.ingest.smtp.command.Command.MailParameters;
import dev.oneshot.ingest.smtp.data.Content;
import dev.oneshot.ingest.smtp.data.DataReader;
import dev.oneshot.ingest.smtp.data.MessageFingerprint;
import dev.oneshot.ingest.smtp.session.Output.Next;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The state of a session. Each state offers only its legal transitions. */
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
            case Delivering delivering -> new Next.Deliver(delivering.transaction());
            case StartingTls _ -> new Next.StartTls();
            case Closed closed -> new Next.Close(closed.clientMayBeSending());
            case Commanding _, Receiving _, SkippingChunk _ -> new Next.Read();
        };
    }

    /** Releases the memory of an arriving message, which is rejected at its end. */
    default void shed() {
        switch (this) {
            case Receiving receiving -> receiving.message().content().memoryRefused();
            case BetweenChunks between -> between.message().content().memoryRefused();
            case Commanding _, AwaitingMemory _, SkippingChunk _, Delivering _, StartingTls _, Closed _ -> {}
        }
    }

    /** Ends the connection and releases the memory of an arriving message. */
    default SessionState closed(boolean clientMayBeSending) {
        switch (this) {
            case Receiving receiving -> receiving.message().content().release();
            case AwaitingMemory awaiting ->
                awaiting.receiving().message().content().release();
            case BetweenChunks between -> between.message().content().release();
            case Commanding _, SkippingChunk _, StartingTls _ -> {}
            case Closed _, Delivering _ -> {
                // Already closed, or the delivery still uses the octets, and settle releases them.
                return this;
            }
        }
        return new Closed(clientMayBeSending);
    }

    /** The client may send a command. */
    sealed interface Commanding extends SessionState {}

    /** The greeting is sent; the client has not sent EHLO or HELO. */
    record Connected() implements Commanding {}

    /** After EHLO or HELO; no mail transaction is open. */
    record Ready(Command.Hello hello) implements Commanding {
        MailGiven mail(ReversePath reversePath, MailParameters parameters) {
            return new MailGiven(hello, reversePath, parameters, List.of(), false);
        }
    }

    /**
     * A mail transaction is open.
     *
     * @param recipientsRefused whether any was
     */
    record MailGiven(
            Command.Hello hello,
            ReversePath reversePath,
            MailParameters parameters,
            List<Recipient> recipients,
            boolean recipientsRefused)
            implements Commanding {
        MailGiven rcpt(Recipient recipient) {
            List<Recipient> all = new ArrayList<>(recipients);
            all.add(recipient);
            return new MailGiven(hello, reversePath, parameters, List.copyOf(all), recipientsRefused);
        }

        MailGiven rcptRefused() {
            return new MailGiven(hello, reversePath, parameters, recipients, true);
        }

        ReceivingData data(Message message) {
            return new ReceivingData(hello, message, new DataReader());
        }

        ReceivingChunk chunk(Message message, Command.Bdat chunk) {
            return new ReceivingChunk(hello, message, chunk, chunk.chunkBytes());
        }
    }

    /** A chunk is complete, and it was not the last (RFC 3030). */
    record BetweenChunks(Command.Hello hello, Message message) implements Commanding {
        ReceivingChunk chunk(Command.Bdat chunk) {
            return new ReceivingChunk(hello, message, chunk, chunk.chunkBytes());
        }
    }

    /** Content arrives. */
    sealed interface Receiving extends SessionState {
        Command.Hello hello();

        Message message();

        default Ready over() {
            return new Ready(hello());
        }
    }

    /** There is no memory for the next octets of the content; nothing is read. */
    record AwaitingMemory(Receiving receiving) implements SessionState {}

    /** After 354: all octets up to CRLF.CRLF are content. */
    record ReceivingData(Command.Hello hello, Message message, DataReader reader) implements Receiving {}

    /** After BDAT: this many octets are content. */
    record ReceivingChunk(Command.Hello hello, Message message, Command.Bdat chunk, long bytesLeft)
            implements Receiving {
        ReceivingChunk received(long octets) {
            return new ReceivingChunk(hello, message, chunk, bytesLeft - octets);
        }

        BetweenChunks ended() {
            return new BetweenChunks(hello, message);
        }
    }

    /** After a rejected BDAT: its octets are read (RFC 3030 §2), then the reply is sent. */
    record SkippingChunk(Commanding before, Reply reply, long bytesLeft) implements SessionState {
        SkippingChunk skipped(long octets) {
            return new SkippingChunk(before, reply, bytesLeft - octets);
        }
    }

    /** The message is being stored; nothing is read. */
    record Delivering(Command.Hello hello, Message message, MailTransaction transaction) implements SessionState {
        Ready settled() {
            return new Ready(hello);
        }
    }

    /** After the 220 to STARTTLS: the handshake follows. */
    record StartingTls() implements SessionState {}

    /** Nothing more is read or sent. */
    record Closed(boolean clientMayBeSending) implements SessionState {}

    /** An arriving message. */
    record Message(String transactionId, Origin origin, Envelope envelope, Content content) {
        MailTransaction received(Instant now) {
            return new MailTransaction(transactionId, origin, envelope, content.octets(), now, "");
        }

        MessageFingerprint fingerprint() {
            return content.fingerprint(envelope.reversePath());
        }
    }
}
