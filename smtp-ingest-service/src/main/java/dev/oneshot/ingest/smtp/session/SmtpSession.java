package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.Client;
import dev.oneshot.ingest.smtp.Replies;
import dev.oneshot.ingest.smtp.Reply;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.TlsParameters;
import dev.oneshot.ingest.smtp.command.Command;
import dev.oneshot.ingest.smtp.command.CommandLine;
import dev.oneshot.ingest.smtp.command.CommandParser;
import dev.oneshot.ingest.smtp.command.CommandSyntaxException;
import dev.oneshot.ingest.smtp.data.Content;
import dev.oneshot.ingest.smtp.data.MemoryBudget;
import dev.oneshot.ingest.smtp.session.Output.Next;
import dev.oneshot.ingest.smtp.session.SessionState.AwaitingMemory;
import dev.oneshot.ingest.smtp.session.SessionState.BetweenChunks;
import dev.oneshot.ingest.smtp.session.SessionState.Closed;
import dev.oneshot.ingest.smtp.session.SessionState.Commanding;
import dev.oneshot.ingest.smtp.session.SessionState.Connected;
import dev.oneshot.ingest.smtp.session.SessionState.Delivering;
import dev.oneshot.ingest.smtp.session.SessionState.Message;
import dev.oneshot.ingest.smtp.session.SessionState.Ready;
import dev.oneshot.ingest.smtp.session.SessionState.Receiving;
import dev.oneshot.ingest.smtp.session.SessionState.ReceivingChunk;
import dev.oneshot.ingest.smtp.session.SessionState.ReceivingData;
import dev.oneshot.ingest.smtp.session.SessionState.SkippingChunk;
import dev.oneshot.ingest.smtp.session.SessionState.StartingTls;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One SMTP connection, from the greeting to its end (RFC 5321 §3, §4.3).
 *
 * <p>The transport passes octets in pieces of any size, and does the task in the {@link Output}. Pipelined commands
 * get their replies in one piece (RFC 2920). The outcome of a dialogue does not depend on how its octets were split.
 *
 * <p>It never throws because of input. For one thread at a time. {@link #abandon} must be called when the connection
 * is gone.
 */
public final class SmtpSession {

    /** Some hundred replies: more than one group of commands needs, and little memory for a client that never reads. */
    private static final int REPLIES_BYTES_MAX = 8 * 1024;

    private final SmtpPolicy policy;
    private final Dialogue dialogue;
    private final RecipientPolicy recipients;
    private final ExpectedRetries retries;
    private final SessionObserver observer;
    private final CommandLine line = new CommandLine();
    private final ByteArrayOutputStream replies = new ByteArrayOutputStream(256);

    private SessionState state = new Connected();
    private int errors;
    private int commands;
    /** A stored message whose 250 the client may not have. */
    private @Nullable Message unconfirmed;

    /** A new session; {@link #greet} must be called first. */
    public SmtpSession(SessionPorts ports, MemoryBudget memory, Client client, ClientAllowance allowance) {
        this.policy = ports.policy();
        this.recipients = ports.recipients();
        this.retries = ports.expectedRetries();
        this.observer = ports.observer();
        this.dialogue = new Dialogue(ports, memory, client, allowance);
    }

    /** The greeting (RFC 5321 §3.1). */
    public Output greet() {
        reply(Replies.greeting(policy.hostname()));
        return output();
    }

    /**
     * Takes octets from the client.
     *
     * @param input must have an array; the rest belongs to the next call, unless the output says otherwise
     */
    public Output receive(ByteBuffer input) {
        if (input.hasRemaining()) {
            // New octets after the reply show that the client has read it.
            unconfirmed = null;
        }
        return proceed(input);
    }

    /**
     * Proceeds after {@link Next.Read} with the input that remains.
     */
    public Output proceed(ByteBuffer input) {
        boolean reading = true;
        while (reading && input.hasRemaining() && replies.size() < REPLIES_BYTES_MAX) {
            switch (state) {
                case Commanding commanding -> receiveCommand(commanding, input);
                case ReceivingData receiving -> receiveData(receiving, input);
                case ReceivingChunk receiving -> receiveChunk(receiving, input);
                case SkippingChunk skipping -> skipChunk(skipping, input);
                case AwaitingMemory _, Delivering _, StartingTls _, Closed _ -> reading = false;
            }
        }
        return output();
    }

    /**
     * Proceeds after {@link Next.AwaitMemory}.
     *
     * @param granted whether the requested octets are reserved; if not, the message gets 452 at its end
     * @param input the remaining input
     * @throws IllegalStateException if no memory was requested
     */
    public Output proceedWithMemory(boolean granted, ByteBuffer input) {
        if (!(state instanceof AwaitingMemory(Receiving receiving))) {
            throw new IllegalStateException("no memory was asked for");
        }
        Content content = receiving.message().content();
        boolean begins = !content.isBegun();
        if (granted) {
            content.memoryGranted();
        } else {
            content.memoryRefused();
        }
        state = receiving;
        if (receiving instanceof ReceivingChunk chunk) {
            // Without remaining input, the call below would not complete a chunk.
            receiveChunk(chunk, input);
        } else if (begins) {
            state = granted ? receiving : receiving.message().over();
            reply(granted ? Replies.START_MAIL_INPUT : Replies.NO_MEMORY);
        }
        return proceed(input);
    }

    /**
     * Takes the outcome of the delivery that {@link Next.Deliver} requested.
     *
     * @throws IllegalStateException if no delivery was requested
     */
    public Output settle(DeliveryOutcome outcome) {
        if (!(state instanceof Delivering delivering)) {
            throw new IllegalStateException("no delivery was asked for");
        }
        Message message = delivering.message();
        message.content().release();
        state = message.over();
        switch (outcome) {
            case STORED -> {
                unconfirmed = message;
                recipients.stored(message.envelope().recipients());
            }
            case UNAVAILABLE -> retries.add(message.envelope().recipients(), message.fingerprint());
            case ATTACHMENT_TOO_LARGE, NO_FAILURE_NOTICE, LOOP, NOT_RELAYABLE, OVERLOADED -> {}
        }
        reply(Dialogue.settled(delivering.transaction(), outcome));
        return output();
    }

    /**
     * The handshake that {@link Next.StartTls} requested has succeeded. All state from before is dropped (RFC 3207
     * §4.2).
     *
     * @throws IllegalStateException if no handshake was requested
     */
    public Output secured(TlsParameters parameters) {
        if (!(state instanceof StartingTls)) {
            throw new IllegalStateException("no TLS handshake was asked for");
        }
        dialogue.secured(parameters);
        state = new Connected();
        return output();
    }

    /**
     * Ends the session with a reply of 421 (RFC 5321 §3.8), unless it has ended. While it is {@link Phase#BUSY} no reply is
     * sent, as the client waits for another one: the connection closes.
     */
    public Output end(Reply ending) {
        Phase phase = phase();
        if (phase == Phase.BUSY) {
            return new Output(new byte[0], new Next.Close(false));
        }
        if (phase != Phase.CLOSED) {
            write(ending);
            state = state.closed(phase != Phase.COMMAND);
        }
        return output();
    }

    /**
     * Ends the session after the connection is gone. Releases the memory of an incomplete message, and remembers a
     * stored one whose 250 may be lost.
     */
    public void abandon() {
        if (unconfirmed != null) {
            retries.add(unconfirmed.envelope().recipients(), unconfirmed.fingerprint());
            unconfirmed = null;
        }
        state = state.closed(false);
    }

    /** Releases the memory of an incomplete message, whose client gets 452 at its end. */
    public void shed() {
        if (phase() == Phase.CONTENT) {
            state.content().ifPresent(Content::memoryRefused);
        }
    }

    /** The event that the session waits for. */
    public Phase phase() {
        return state.phase();
    }

    /** Whether the client may send a command, and no mail transaction is open (RFC 5321 §3.3). */
    public boolean isIdle() {
        return state instanceof Connected || state instanceof Ready;
    }

    private void receiveCommand(Commanding commanding, ByteBuffer input) {
        if (!line.read(input)) {
            if (line.isEndless()) {
                reply(Replies.LINE_ENDLESS);
            }
            return;
        }
        try {
            Command command = CommandParser.parse(line.take());
            boolean content = command instanceof Command.Bdat chunk && chunk.chunkBytes() > 0;
            if (!content && ++commands > policy.commandsMax()) {
                reply(Replies.TOO_MANY_COMMANDS);
                return;
            }
            Dialogue.Turn turn = dialogue.handle(commanding, command);
            state = turn.next();
            if (command instanceof Command.Quit) {
                // The client sent QUIT, so it has read its 250.
                unconfirmed = null;
            }
            if (turn.reply() != null) {
                reply(turn.reply());
            } else if (state instanceof ReceivingChunk receiving) {
                // A chunk without octets is complete at once.
                receiveChunk(receiving, input);
            } else if (state instanceof SkippingChunk skipping) {
                skipChunk(skipping, input);
            }
        } catch (CommandSyntaxException e) {
            reply(line.announcedChunk() ? Replies.BDAT_SYNTAX : e.reply());
        }
    }

    private void receiveData(ReceivingData receiving, ByteBuffer input) {
        Message message = receiving.message();
        boolean ended = receiving.reader().read(input, message.content());
        Content.Fault fault = message.content().fault();
        if (fault == null) {
            if (ended) {
                ended(message);
            } else if (input.hasRemaining()) {
                state = new AwaitingMemory(receiving);
            }
        } else if (ended || fault == Content.Fault.ENDLESS) {
            state = message.over();
            reply(dialogue.refusal(message, fault));
        }
    }

    private void receiveChunk(ReceivingChunk receiving, ByteBuffer input) {
        Message message = receiving.message();
        if (!message.content().begin()) {
            state = new AwaitingMemory(receiving);
            return;
        }
        Command.Bdat chunk = receiving.chunk();
        long bytesLeft = receiving.bytesLeft() - message.content().read(input, receiving.bytesLeft());
        Content.Fault fault = message.content().fault();
        if (fault == Content.Fault.ENDLESS || (fault != null && bytesLeft == 0)) {
            state = message.over();
            reply(dialogue.refusal(message, fault));
        } else if (bytesLeft > 0) {
            ReceivingChunk now = new ReceivingChunk(message, chunk, bytesLeft);
            state = input.hasRemaining() ? new AwaitingMemory(now) : now;
        } else if (chunk.last()) {
            ended(message);
        } else {
            state = new BetweenChunks(message);
            reply(Replies.chunkReceived(chunk.chunkBytes()));
        }
    }

    private void ended(Message message) {
        commands = 0;
        int results = message.content().removeOwnResults();
        if (results > 0) {
            observer.ownResultsRemoved(results);
        }
        Dialogue.Turn turn = dialogue.ended(message);
        state = turn.next();
        if (turn.reply() != null) {
            reply(turn.reply());
        }
    }

    private void skipChunk(SkippingChunk skipping, ByteBuffer input) {
        int count = (int) Math.min(skipping.bytesLeft(), input.remaining());
        input.position(input.position() + count);
        long bytesLeft = skipping.bytesLeft() - count;
        if (bytesLeft > 0) {
            state = new SkippingChunk(skipping.before(), skipping.reply(), bytesLeft);
        } else {
            state = skipping.before();
            reply(skipping.reply());
        }
    }

    private void reply(Reply reply) {
        write(reply);
        if (reply.closes()) {
            state = state.closed(true);
        } else if (reply.isError() && ++errors > policy.errorsMax()) {
            write(Replies.TOO_MANY_ERRORS);
            state = state.closed(true);
        }
    }

    private void write(Reply reply) {
        replies.writeBytes(reply.octets());
        if (reply.isRefusal()) {
            observer.refused(reply.code(), reply.status());
        }
    }

    private Output output() {
        byte[] octets = replies.toByteArray();
        replies.reset();
        return new Output(octets, state.next());
    }
}
