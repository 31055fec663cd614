package dev.oneshot.ingest.net;

import dev.oneshot.ingest.memory.MessageMemory;
import dev.oneshot.ingest.smtp.Replies;
import dev.oneshot.ingest.smtp.Reply;
import dev.oneshot.ingest.smtp.TlsParameters;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import dev.oneshot.ingest.smtp.session.Output;
import dev.oneshot.ingest.smtp.session.Output.Next;
import dev.oneshot.ingest.smtp.session.Phase;
import dev.oneshot.ingest.smtp.session.SmtpSession;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLSession;

/**
 * One connection: passes bytes between its socket and its session, and complete messages to their delivery. Runs on
 * the event loop of the socket only.
 */
final class ClientConnection {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SmtpSocket socket;
    private final SmtpSession session;
    private final SmtpMetrics metrics;
    private final Deadlines deadlines;
    private final MessageMemory.SessionMemory memory;

    private ByteBuffer input = NOTHING;
    private long waitSince;
    private boolean stopping;
    private boolean ending;
    private boolean gone;

    ClientConnection(
            SmtpSocket socket,
            SmtpSession session,
            SmtpMetrics metrics,
            Deadlines deadlines,
            MessageMemory.SessionMemory memory) {
        this.socket = socket;
        this.session = session;
        this.metrics = metrics;
        this.deadlines = deadlines;
        this.memory = memory;
    }

    /** Greets the client. */
    void open() {
        socket.watch(this::receive, this::readOn);
        perform(session.greet());
    }

    /**
     * Ends the connection.
     *
     * @param reply a 421
     */
    void end(Reply reply) {
        perform(session.end(reply));
    }

    /** The socket is closed. */
    void gone() {
        gone = true;
        memory.stopWaiting();
        session.abandon();
    }

    /** Ends the session if a timeout has run out; called about once a second. */
    void enforceDeadlines(long nowNanos) {
        if (session.phase() == Phase.MEMORY && memory.isOverdue(nowNanos - waitSince)) {
            memory.stopWaiting();
        }
        if (deadlines.mustShed(memory.blocksOthers(), nowNanos)) {
            session.shed();
            metrics.refusedForMemory();
        }
        switch (deadlines.exceeded(nowNanos)) {
            case NONE -> {}
            case IDLE -> end(Replies.IDLE);
            case TOO_SLOW -> end(Replies.TOO_SLOW);
            // The client has read the last reply, or never will.
            case CLOSING -> socket.close();
        }
    }

    /** Ends the connection as soon as no mail transaction is open. */
    void stopWhenIdle() {
        stopping = true;
        endIfStoppingAndIdle();
    }

    private void endIfStoppingAndIdle() {
        if (stopping && session.isIdle()) {
            end(Replies.STOPPING);
        }
    }

    // Using the array under the buffer saves a copy of every byte. Vert.x deprecates it to make it internal, not to
    // remove it.
    @SuppressWarnings("deprecation")
    private void receive(Buffer buffer) {
        ByteBuf octets = buffer.getByteBuf();
        deadlines.received(octets.readableBytes(), System.nanoTime());
        if (ending || session.phase() == Phase.BUSY) {
            // Nothing is read during a delivery. Bytes before the TLS handshake are dropped, as they were not
            // encrypted.
            return;
        }
        input = octets.hasArray()
                ? ByteBuffer.wrap(octets.array(), octets.arrayOffset() + octets.readerIndex(), octets.readableBytes())
                : ByteBuffer.wrap(buffer.getBytes());
        proceed(session.receive(input));
    }

    /** Copies the rest of an input while reading is paused, so that a few bytes do not keep a large array. */
    static ByteBuffer toKeep(ByteBuffer input) {
        if (!input.hasRemaining()) {
            return NOTHING;
        }
        if (input.remaining() > input.capacity() / 2) {
            return input;
        }
        return ByteBuffer.allocate(input.remaining()).put(input).flip();
    }

    private void proceed(Output output) {
        perform(output);
        input = toKeep(input);
        endIfStoppingAndIdle();
    }

    private void perform(Output output) {
        long now = System.nanoTime();
        deadlines.entered(session.phase(), now);
        if (output.replies().length > 0) {
            deadlines.replied(now);
        }
        if (!(output.next() instanceof Next.StartTls)) {
            write(output);
        }
        switch (output.next()) {
            case Next.Read _ -> readOn();
            case Next.AwaitMemory await -> awaitMemory(await.octets(), now);
            case Next.Deliver deliver -> deliver(deliver);
            case Next.StartTls _ -> {
                input = NOTHING;
                // It may be paused for a message earlier in the same input.
                socket.resume();
                // Runs after bytes that have already arrived are dropped.
                socket.later(() -> startTls(output));
            }
            case Next.Close close -> close(close.clientMayBeSending());
        }
    }

    private void awaitMemory(int bytes, long now) {
        socket.pause();
        waitSince = now;
        memory.await(bytes, input.remaining(), taken -> socket.later(() -> endWait(bytes, taken)));
    }

    private void write(Output output) {
        if (output.replies().length > 0 && !gone) {
            socket.write(output.replies());
        }
    }

    /** Continues reading, unless the client does not read its replies. */
    private void readOn() {
        if (ending || gone || isBusy()) {
            return;
        }
        if (socket.isFull()) {
            socket.pause();
        } else if (input.hasRemaining()) {
            socket.pause();
            socket.later(this::proceedAfterDrain);
        } else {
            socket.resume();
        }
    }

    private void proceedAfterDrain() {
        if (input.hasRemaining() && !ending && !gone && !isBusy() && !socket.isFull()) {
            proceed(session.proceed(input));
        }
    }

    private boolean isBusy() {
        return session.phase() == Phase.BUSY || session.phase() == Phase.MEMORY;
    }

    private void deliver(Next.Deliver deliver) {
        socket.pause();
        MailTransaction transaction = deliver.transaction();
        long since = System.nanoTime();
        deliver.delivery().store(transaction, outcome -> socket.later(() -> settle(transaction, outcome, since)));
    }

    private void settle(MailTransaction transaction, DeliveryOutcome outcome, long since) {
        metrics.delivered(transaction, outcome, System.nanoTime() - since);
        Output output = session.settle(outcome);
        if (gone) {
            session.abandon();
        } else {
            proceed(output);
        }
    }

    private void endWait(int bytes, boolean taken) {
        if (session.phase() == Phase.MEMORY) {
            if (!taken) {
                metrics.refusedForMemory();
            }
            proceed(session.proceedWithMemory(taken, input));
        } else if (taken) {
            // The session has ended.
            memory.release(bytes);
        }
    }

    private void startTls(Output output) {
        if (!gone) {
            write(output);
            socket.secure(this::secured);
        }
    }

    private void secured(SSLSession tls) {
        if (gone || ending) {
            return;
        }
        proceed(session.secured(new TlsParameters(tls.getProtocol(), tls.getCipherSuite())));
    }

    private void close(boolean clientMayBeSending) {
        if (ending || gone) {
            return;
        }
        ending = true;
        input = NOTHING;
        memory.stopWaiting();
        if (clientMayBeSending) {
            // Unread bytes would make the kernel reset the connection, and the reply might be lost. The deadlines
            // close it.
            socket.resume();
        } else {
            socket.end();
        }
    }
}
