package dev.oneshot.ingest.smtp;

import dev.oneshot.ingest.smtp.Output.Next;
import dev.oneshot.ingest.smtp.SessionState.AwaitingRoom;
import dev.oneshot.ingest.smtp.SessionState.Closed;
import dev.oneshot.ingest.smtp.SessionState.Commanding;
import dev.oneshot.ingest.smtp.SessionState.Connected;
import dev.oneshot.ingest.smtp.SessionState.Delivering;
import dev.oneshot.ingest.smtp.SessionState.Message;
import dev.oneshot.ingest.smtp.SessionState.Ready;
import dev.oneshot.ingest.smtp.SessionState.Receiving;
import dev.oneshot.ingest.smtp.SessionState.ReceivingChunk;
import dev.oneshot.ingest.smtp.SessionState.ReceivingData;
import dev.oneshot.ingest.smtp.SessionState.SkippingChunk;
import dev.oneshot.ingest.smtp.SessionState.StartingTls;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * One SMTP connection, from the greeting to its end (RFC 5321 §3, §4.3).
 *
 * <p>The transport hands in octets as they come, in pieces of any size, and does what the {@link Output} says. What a
 * group of pipelined commands is answered comes out in one piece (RFC 2920). The outcome of a dialogue does not depend
 * on how its octets were cut up.
 *
 * <p>Never throws for anything a client sends. To be used by one thread at a time. {@link #abandon} must be called
 * when the connection is gone.
 */
public final class SmtpSession {

    /** Some hundred replies: more than a sensible group has, and little for those who never read them. */
    private static final int REPLIES_BYTES_MAX = 8 * 1024;

    private final SmtpPolicy policy;
    private final Dialogue dialogue;
    private final SessionObserver observer;
    private final CommandLine line = new CommandLine();
    private final ByteArrayOutputStream replies = new ByteArrayOutputStream(256);

    private SessionState state = new Connected();
    private int errors;
    private int commands;
    private @Nullable Stored unheard;

    /** A message that was stored. */
    private record Stored(Envelope envelope, MailPrint print) {}

    /** A session that has just been connected; {@link #greet} comes first. */
    public SmtpSession(
            SmtpPolicy policy,
            RecipientPolicy recipients,
            MemoryBudget memory,
            InstantSource clock,
            SessionObserver observer,
            Client client) {
        this.observer = observer;
        this.policy = policy;
        this.dialogue = new Dialogue(policy, recipients, memory, clock, client);
    }

    /** The greeting (RFC 5321 §3.1). */
    public Output greet() {
        say(Replies.greeting(policy.hostname()));
        return output();
    }

    /**
     * Takes octets from the client.
     *
     * @param input must have an array; what is not consumed belongs to the next call, unless the output says
     *     otherwise
     */
    public Output receive(ByteBuffer input) {
        if (replies.size() == 0 && input.hasRemaining()) {
            // It goes on, and not only with what it had sent before.
            unheard = null;
        }
        return goOn(input);
    }

    /**
     * Goes on after {@link Next.AwaitDrain}.
     *
     * @param input what has not been consumed yet
     */
    public Output goOn(ByteBuffer input) {
        boolean reading = true;
        while (reading && input.hasRemaining() && replies.size() < REPLIES_BYTES_MAX) {
            switch (state) {
                case Commanding commanding -> receiveCommand(commanding, input);
                case ReceivingData receiving -> receiveData(receiving, input);
                case ReceivingChunk receiving -> receiveChunk(receiving, input);
                case SkippingChunk skipping -> skipChunk(skipping, input);
                case AwaitingRoom _, Delivering _, StartingTls _, Closed _ -> reading = false;
            }
        }
        Output output = output();
        boolean moreToRead = output.next() instanceof Next.Read && input.hasRemaining();
        return moreToRead ? new Output(output.replies(), new Next.AwaitDrain()) : output;
    }

    /**
     * Goes on after {@link Next.AwaitRoom}.
     *
     * @param found whether the octets that were asked for have been taken out of the budget; if not, the message is
     *     refused with 452, once the client has sent what it is sending of it
     * @param input what has not been consumed yet
     * @throws IllegalStateException if no room was asked for
     */
    public Output room(boolean found, ByteBuffer input) {
        if (!(state instanceof AwaitingRoom(Receiving receiving))) {
            throw new IllegalStateException("no room was asked for");
        }
        Content content = receiving.message().content();
        boolean begins = !content.isBegun();
        if (found) {
            content.roomFound();
        } else {
            content.noRoom();
        }
        state = receiving;
        switch (receiving) {
            // Which may have no octets that would bring it there.
            case ReceivingChunk chunk -> receiveChunk(chunk, input);
            case ReceivingData data
            when begins -> {
                state = found ? data : data.over();
                say(found ? Replies.START_MAIL_INPUT : Replies.NO_MEMORY);
            }
            case ReceivingData _ -> {}
        }
        return goOn(input);
    }

    /**
     * Takes the outcome of the delivery that {@link Next.Deliver} asked for. The reply comes out with the next call
     * of {@link #receive}, which has to follow at once, if need be without octets.
     *
     * @throws IllegalStateException if no delivery was asked for
     */
    public void settle(DeliveryOutcome outcome) {
        if (!(state instanceof Delivering delivering)) {
            throw new IllegalStateException("no delivery was asked for");
        }
        delivering.message().content().release();
        state = delivering.settled();
        Envelope envelope = delivering.transaction().envelope();
        MailPrint print = delivering.message().print();
        switch (outcome) {
            case STORED -> unheard = new Stored(envelope, print);
            case UNAVAILABLE -> dialogue.unheard(envelope, print);
            case ATTACHMENT_TOO_LARGE, OVERLOADED -> {}
        }
        say(
                switch (outcome) {
                    case STORED -> Replies.stored(delivering.transaction().id());
                    case UNAVAILABLE -> Replies.NOT_STORED;
                    case ATTACHMENT_TOO_LARGE ->
                        Replies.attachmentTooLarge(
                                envelope.attachmentBytesMax(),
                                envelope.recipients().size() > 1);
                    case OVERLOADED -> Replies.NO_MEMORY;
                });
    }

    /**
     * The handshake that {@link Next.StartTls} asked for has succeeded: everything the client said before is forgotten
     * (RFC 3207 §4.2).
     *
     * @throws IllegalStateException if no handshake was asked for
     */
    public void secured(TlsFacts facts) {
        if (!(state instanceof StartingTls starting)) {
            throw new IllegalStateException("no TLS handshake was asked for");
        }
        dialogue.secured(facts);
        state = starting.secured();
    }

    /**
     * Ends the session with 421 (RFC 5321 §3.8), unless it has ended already. While it is {@link Phase#BUSY} nothing
     * is said, as the client waits for something else: the connection just closes.
     */
    public Output end(Ending ending) {
        Phase phase = phase();
        if (phase == Phase.BUSY) {
            return new Output(new byte[0], new Next.Close(false));
        }
        if (phase != Phase.CLOSED) {
            write(ending.reply());
            close(phase != Phase.COMMAND);
        }
        return output();
    }

    /**
     * The connection is gone. Puts back the memory of a message that was on its way in, and remembers one whose 250 the
     * client may not have heard.
     */
    public void abandon() {
        if (unheard != null) {
            dialogue.unheard(unheard.envelope(), unheard.print());
            unheard = null;
        }
        close(false);
    }

    /** Leaves the memory of the message that comes in to others: when its client has sent it, it hears 452. */
    public void giveWay() {
        state.giveWay();
    }

    /** What the session waits for. */
    public Phase phase() {
        return state.phase();
    }

    /** Whether a mail transaction is open (RFC 5321 §3.3). */
    public boolean isInTransaction() {
        return !(state instanceof Connected || state instanceof Ready || state instanceof Closed);
    }

    private void receiveCommand(Commanding commanding, ByteBuffer input) {
        if (!line.read(input)) {
            if (line.isEndless()) {
                say(Replies.LINE_ENDLESS);
            }
            return;
        }
        try {
            Command command = CommandParser.parse(line.take(), policy);
            boolean content = command instanceof Command.Bdat chunk && chunk.chunkBytes() > 0;
            if (!content && ++commands > policy.commandsMax()) {
                say(Replies.TOO_MANY_COMMANDS);
                return;
            }
            Dialogue.Turn turn = dialogue.answer(commanding, command);
            state = turn.next();
            if (command instanceof Command.Quit) {
                // Closed as agreed, be it in one go with the data.
                unheard = null;
            }
            if (turn.reply() != null) {
                say(turn.reply());
            } else if (state instanceof ReceivingChunk receiving) {
                // A chunk may have no octets, and then none will come to end it.
                receiveChunk(receiving, input);
            } else if (state instanceof SkippingChunk skipping) {
                skipChunk(skipping, input);
            }
        } catch (CommandSyntaxException e) {
            say(line.announcedChunk() ? Replies.BDAT_SYNTAX : e.reply());
        }
    }

    private void receiveData(ReceivingData receiving, ByteBuffer input) {
        Message message = receiving.message();
        boolean ended = receiving.reader().read(input, message.content());
        Content.Fault fault = message.content().fault();
        if (fault == null) {
            if (ended) {
                ended(receiving.over(), message);
            } else if (input.hasRemaining()) {
                state = new AwaitingRoom(receiving);
            }
        } else if (ended || fault == Content.Fault.ENDLESS) {
            state = receiving.over();
            say(dialogue.refusal(message, fault));
        }
    }

    private void receiveChunk(ReceivingChunk receiving, ByteBuffer input) {
        Message message = receiving.message();
        if (!message.content().begin()) {
            state = new AwaitingRoom(receiving);
            return;
        }
        int count = message.content().read(input, receiving.bytesLeft());
        ReceivingChunk now = receiving.received(count);
        Content.Fault fault = message.content().fault();
        if (fault == Content.Fault.ENDLESS || (fault != null && now.bytesLeft() == 0)) {
            state = now.over();
            say(dialogue.refusal(message, fault));
        } else if (now.bytesLeft() > 0) {
            state = input.hasRemaining() ? new AwaitingRoom(now) : now;
        } else if (now.chunk().last()) {
            ended(now.over(), message);
        } else {
            state = now.ended();
            say(Replies.chunkReceived(now.chunk().chunkBytes()));
        }
    }

    private void ended(Ready afterwards, Message message) {
        commands = 0;
        int results = message.content().removeOwnResults();
        if (results > 0) {
            observer.ownResultsRemoved(results);
        }
        Dialogue.Turn turn = dialogue.ended(afterwards, message);
        state = turn.next();
        if (turn.reply() != null) {
            say(turn.reply());
        }
    }

    private void skipChunk(SkippingChunk skipping, ByteBuffer input) {
        int count = (int) Math.min(skipping.bytesLeft(), input.remaining());
        input.position(input.position() + count);
        SkippingChunk now = skipping.skipped(count);
        if (now.bytesLeft() > 0) {
            state = now;
        } else {
            state = now.before();
            say(now.reply());
        }
    }

    private void say(Reply reply) {
        write(reply);
        if (reply.closes()) {
            close(true);
        } else if (reply.isError() && ++errors > policy.errorsMax()) {
            write(Replies.TOO_MANY_ERRORS);
            close(true);
        }
    }

    private void write(Reply reply) {
        replies.writeBytes(reply.octets());
        if (reply.isRefusal()) {
            observer.refused(reply.code(), reply.status());
        }
    }

    private void close(boolean clientMayBeSending) {
        state = state.closed(clientMayBeSending);
    }

    private Output output() {
        byte[] octets = replies.toByteArray();
        replies.reset();
        return new Output(octets, state.next());
    }
}
