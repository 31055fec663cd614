package dev.oneshot.ingest.smtp;

import dev.oneshot.ingest.smtp.Output.Next;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Where a session is. Each state offers the moves that are legal in it, and no others. */
sealed interface SessionState {

    /** What the session waits for in it. */
    default Phase phase() {
        return switch (this) {
            // Between chunks the time for the content runs on, or there would be none for a message of many small ones.
            case BetweenChunks _, Receiving _, SkippingChunk _ -> Phase.CONTENT;
            case AwaitingRoom _ -> Phase.ROOM;
            case Delivering _, StartingTls _ -> Phase.BUSY;
            case Commanding _ -> Phase.COMMAND;
            case Closed _ -> Phase.CLOSED;
        };
    }

    /** What the transport has to do in it. */
    default Next next() {
        return switch (this) {
            case AwaitingRoom awaiting ->
                new Next.AwaitRoom(awaiting.receiving().message().content().roomWanted());
            case Delivering delivering -> new Next.Deliver(delivering.transaction());
            case StartingTls _ -> new Next.StartTls();
            case Closed closed -> new Next.Close(closed.clientMayBeSending());
            case Commanding _, Receiving _, SkippingChunk _ -> new Next.Read();
        };
    }

    /** Puts back the memory of a message on its way in, which is refused at its end. */
    default void giveWay() {
        switch (this) {
            case Receiving receiving -> receiving.message().content().noRoom();
            case BetweenChunks between -> between.message().content().noRoom();
            case Commanding _, AwaitingRoom _, SkippingChunk _, Delivering _, StartingTls _, Closed _ -> {}
        }
    }

    /** The connection ends; the memory of a message on its way in is put back. */
    default SessionState closed(boolean clientMayBeSending) {
        switch (this) {
            case Receiving receiving -> receiving.message().content().release();
            case AwaitingRoom awaiting ->
                awaiting.receiving().message().content().release();
            case BetweenChunks between -> between.message().content().release();
            case Commanding _, SkippingChunk _, StartingTls _ -> {}
            case Closed _, Delivering _ -> {
                // Closed already; or the delivery still works on the octets, and settle puts them back.
                return this;
            }
        }
        return new Closed(clientMayBeSending);
    }

    /** The client may give a command. */
    sealed interface Commanding extends SessionState {}

    /** Greeted by us; the client has not introduced itself. */
    record Connected() implements Commanding {
        Ready hello(Hello hello) {
            return new Ready(hello);
        }
    }

    /** Introduced; no mail transaction is open. */
    record Ready(Hello hello) implements Commanding {
        MailGiven mail(ReversePath reversePath, MailParameters parameters) {
            return new MailGiven(hello, new Sender(reversePath, parameters), false);
        }
    }

    /** A mail transaction is open and has no recipient. */
    record MailGiven(Hello hello, Sender sender, boolean recipientsRefused) implements Commanding {
        RecipientsGiven rcpt(Recipient recipient) {
            return new RecipientsGiven(hello, sender, List.of(recipient));
        }

        MailGiven rcptRefused() {
            return new MailGiven(hello, sender, true);
        }
    }

    /** A mail transaction is open and has recipients. */
    record RecipientsGiven(Hello hello, Sender sender, List<Recipient> recipients) implements Commanding {
        RecipientsGiven rcpt(Recipient recipient) {
            List<Recipient> all = new ArrayList<>(recipients);
            all.add(recipient);
            return new RecipientsGiven(hello, sender, List.copyOf(all));
        }

        boolean has(String addressId) {
            return recipients.stream().anyMatch(r -> r.addressId().equals(addressId));
        }

        ReceivingData data(Message message) {
            return new ReceivingData(hello, message, new DataReader());
        }

        ReceivingChunk chunk(Message message, Command.Bdat chunk) {
            return new ReceivingChunk(hello, message, chunk, chunk.chunkBytes());
        }
    }

    /** A chunk has been taken, and it was not the last (RFC 3030). */
    record BetweenChunks(Hello hello, Message message) implements Commanding {
        ReceivingChunk chunk(Command.Bdat chunk) {
            return new ReceivingChunk(hello, message, chunk, chunk.chunkBytes());
        }
    }

    /** Content comes in. */
    sealed interface Receiving extends SessionState {
        Message message();

        Ready over();
    }

    /** There is no memory for the next octets of the content; nothing is read. */
    record AwaitingRoom(Receiving receiving) implements SessionState {}

    /** After 354: everything is content up to CRLF.CRLF. */
    record ReceivingData(Hello hello, Message message, DataReader reader) implements Receiving {
        @Override
        public Ready over() {
            return new Ready(hello);
        }
    }

    /** After BDAT: so many octets are content. */
    record ReceivingChunk(Hello hello, Message message, Command.Bdat chunk, long bytesLeft) implements Receiving {
        ReceivingChunk received(long octets) {
            return new ReceivingChunk(hello, message, chunk, bytesLeft - octets);
        }

        BetweenChunks ended() {
            return new BetweenChunks(hello, message);
        }

        @Override
        public Ready over() {
            return new Ready(hello);
        }
    }

    /** After a BDAT that is refused: its octets come all the same (RFC 3030 §2), then goes the reply. */
    record SkippingChunk(Commanding before, Reply reply, long bytesLeft) implements SessionState {
        SkippingChunk skipped(long octets) {
            return new SkippingChunk(before, reply, bytesLeft - octets);
        }
    }

    /** The message is being stored; nothing is read. */
    record Delivering(Hello hello, Message message, MailTransaction transaction) implements SessionState {
        Ready settled() {
            return new Ready(hello);
        }
    }

    /** After the 220 to STARTTLS: the handshake comes. */
    record StartingTls() implements SessionState {
        Connected secured() {
            return new Connected();
        }
    }

    /** Nothing more is read or said. */
    record Closed(boolean clientMayBeSending) implements SessionState {}

    /** What MAIL gave. */
    record Sender(ReversePath reversePath, MailParameters parameters) {}

    /** A message on its way in. */
    record Message(String transactionId, Envelope envelope, Content content) {
        /** Takes it for some of its recipients. */
        MailTransaction received(List<Recipient> recipients, Instant now) {
            return new MailTransaction(
                    transactionId, new Envelope(envelope.reversePath(), recipients), content.octets(), now);
        }

        MailPrint print() {
            return content.print(envelope.reversePath());
        }
    }
}
