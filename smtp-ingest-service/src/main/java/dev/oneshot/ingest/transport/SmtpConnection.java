package dev.oneshot.ingest.transport;

import dev.oneshot.ingest.delivery.MailDelivery;
import dev.oneshot.ingest.smtp.DeliveryOutcome;
import dev.oneshot.ingest.smtp.Ending;
import dev.oneshot.ingest.smtp.MailTransaction;
import dev.oneshot.ingest.smtp.Output;
import dev.oneshot.ingest.smtp.Output.Next;
import dev.oneshot.ingest.smtp.Phase;
import dev.oneshot.ingest.smtp.SmtpSession;
import dev.oneshot.ingest.smtp.TlsFacts;
import io.netty.buffer.ByteBuf;
import io.vertx.core.AsyncResult;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.time.Duration;
import javax.net.ssl.SSLSession;

/**
 * One connection: carries octets between its socket and its session, and what the session accepts to the delivery.
 * Everything happens on the event loop of the socket.
 */
final class SmtpConnection {

    private static final Duration LINGER = Duration.ofSeconds(1);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SmtpSocket socket;
    private final SmtpSession session;
    private final MailDelivery delivery;
    private final SmtpMetrics metrics;
    private final Deadlines deadlines;
    private final RoomWait roomWait;

    private ByteBuffer input = NOTHING;
    private boolean inputEnded;
    private long reads;
    private boolean handshaking;
    private boolean awaitingDrain;
    private boolean stopping;
    private boolean ending;
    private boolean gone;

    SmtpConnection(
            SmtpSocket socket,
            SmtpSession session,
            MailDelivery delivery,
            SmtpMetrics metrics,
            Deadlines deadlines,
            RoomWait roomWait) {
        this.socket = socket;
        this.session = session;
        this.delivery = delivery;
        this.metrics = metrics;
        this.deadlines = deadlines;
        this.roomWait = roomWait;
    }

    /** Greets the client, then takes what it has sent already. */
    void open(Buffer received) {
        metrics.sessionBegun();
        socket.watch(this::receive, this::readOn, this::inputEnded);
        perform(session.greet());
        if (received.length() > 0) {
            receive(received);
        }
    }

    /** The client will say no more, but may still listen. With TLS, or after our last words, that is its goodbye. */
    private void inputEnded() {
        if (ending || handshaking || socket.isSecured()) {
            socket.close();
            return;
        }
        inputEnded = true;
        readOn();
    }

    void refuse(Ending reason) {
        perform(session.end(reason));
    }

    /** The socket is closed. */
    void gone() {
        gone = true;
        roomWait.leave();
        session.abandon();
    }

    /** Ends what has taken too long; called about once a second. */
    void enforceDeadlines(long nowNanos) {
        if (deadlines.givesWay(roomWait.isInTheWay(), nowNanos)) {
            session.giveWay();
            metrics.refusedForMemory();
        }
        switch (deadlines.exceeded(session.phase(), nowNanos)) {
            case NONE -> {}
            case IDLE -> perform(session.end(Ending.IDLE));
            case TOO_SLOW -> perform(session.end(Ending.TOO_SLOW));
            // The client does not even take our last words, or a wait was never over, of which it would hear nothing.
            case CLOSING, STUCK -> socket.close();
        }
    }

    /** Ends the connection as soon as no mail transaction is open. */
    void stopWhenIdle() {
        stopping = true;
        endIfStoppingAndIdle();
    }

    /** Ends the connection, whatever it is doing. */
    void stopNow() {
        perform(session.end(Ending.STOPPING));
    }

    private void endIfStoppingAndIdle() {
        if (stopping && session.phase() == Phase.COMMAND && !session.isInTransaction()) {
            perform(session.end(Ending.STOPPING));
        }
    }

    // The array under the buffer spares a copy of every octet. Vert.x deprecates it to make it internal, not to drop
    // it.
    @SuppressWarnings("deprecation")
    private void receive(Buffer buffer) {
        ByteBuf octets = buffer.getByteBuf();
        deadlines.received(octets.readableBytes(), System.nanoTime());
        if (ending) {
            return;
        }
        if (handshaking) {
            receiveWhileHandshaking(buffer);
            return;
        }
        input = octets.hasArray()
                ? ByteBuffer.wrap(octets.array(), octets.arrayOffset() + octets.readerIndex(), octets.readableBytes())
                : ByteBuffer.wrap(buffer.getBytes());
        perform(session.receive(input));
        input = toKeep(input);
        endIfStoppingAndIdle();
    }

    /** What remains of an input while nothing is read: without an array that is mostly behind it. */
    static ByteBuffer toKeep(ByteBuffer input) {
        if (!input.hasRemaining()) {
            return NOTHING;
        }
        return input.remaining() <= input.capacity() / 2 ? ByteBuffer.wrap(remaining(input)) : input;
    }

    /**
     * Reading does not stop for the handshake, so that what was sent before it arrives here and is thrown away. Once
     * TLS is in the pipeline, octets can only have come through it: they wait until the handshake is known to be over.
     */
    private void receiveWhileHandshaking(Buffer buffer) {
        if (socket.isSecured()) {
            socket.pause();
            input = ByteBuffer.wrap(Buffer.buffer()
                    .appendBytes(remaining(input))
                    .appendBuffer(buffer)
                    .getBytes());
        }
    }

    private static byte[] remaining(ByteBuffer input) {
        byte[] octets = new byte[input.remaining()];
        input.get(octets);
        return octets;
    }

    private void perform(Output output) {
        long now = System.nanoTime();
        deadlines.entered(session.phase(), now);
        if (output.replies().length > 0) {
            deadlines.replied(now);
        }
        switch (output.next()) {
            case Next.Read _ -> {
                write(output);
                readOn();
            }
            case Next.AwaitDrain _ -> {
                write(output);
                socket.pause();
                awaitingDrain = true;
                readOn();
            }
            case Next.AwaitRoom await -> {
                write(output);
                socket.pause();
                deadlines.waitBegun(now);
                roomWait.begin(await.octets(), input.remaining(), this::room);
            }
            case Next.Deliver deliver -> {
                write(output);
                deliver(deliver.transaction());
            }
            case Next.StartTls _ -> {
                input = NOTHING;
                handshaking = true;
                // It may have been paused for a message that came before the command in the same piece.
                socket.resume();
                // What came before and has not been handled yet is handled, and thrown away, before this runs.
                socket.later(() -> startTls(output));
            }
            case Next.Close close -> {
                write(output);
                close(close.clientMayBeSending());
            }
        }
    }

    private void write(Output output) {
        if (output.replies().length > 0 && !gone) {
            socket.write(output.replies());
        }
    }

    /** Reading stops while replies pile up that the client does not take. */
    private void readOn() {
        if (ending || gone || isBusy()) {
            return;
        }
        if (socket.isFull()) {
            socket.pause();
        } else if (awaitingDrain) {
            socket.later(this::goOn);
        } else {
            socket.resume();
            if (inputEnded) {
                long read = ++reads;
                // What came before the end and has not been read yet is handed in before this runs.
                socket.later(() -> endIfAllIsAnswered(read));
            }
        }
    }

    private void goOn() {
        if (awaitingDrain && !ending && !gone && !socket.isFull()) {
            awaitingDrain = false;
            perform(session.goOn(input));
            input = toKeep(input);
            endIfStoppingAndIdle();
        }
    }

    private boolean isBusy() {
        return session.phase() == Phase.BUSY || session.phase() == Phase.ROOM;
    }

    private void endIfAllIsAnswered(long read) {
        if (read == reads && !handshaking && !awaitingDrain && !isBusy()) {
            close(false);
        }
    }

    private void deliver(MailTransaction transaction) {
        socket.pause();
        long since = System.nanoTime();
        delivery.deliver(transaction).thenAccept(outcome -> socket.later(() -> settle(transaction, outcome, since)));
    }

    private void settle(MailTransaction transaction, DeliveryOutcome outcome, long since) {
        metrics.delivered(transaction, outcome, System.nanoTime() - since);
        session.settle(outcome);
        if (gone) {
            session.abandon();
        } else {
            perform(session.receive(input));
            input = toKeep(input);
            endIfStoppingAndIdle();
        }
    }

    private void room(boolean found) {
        perform(session.room(found, input));
        input = toKeep(input);
        endIfStoppingAndIdle();
    }

    private void startTls(Output output) {
        if (!gone) {
            write(output);
            socket.secure(this::handshaken);
        }
    }

    private void handshaken(AsyncResult<Void> handshake) {
        if (gone) {
            return;
        }
        if (handshake.failed()) {
            socket.close();
            return;
        }
        handshaking = false;
        SSLSession tls = socket.tls();
        session.secured(new TlsFacts(tls.getProtocol(), tls.getCipherSuite()));
        perform(session.receive(input));
        input = toKeep(input);
    }

    private void close(boolean clientMayBeSending) {
        if (ending || gone) {
            return;
        }
        ending = true;
        input = NOTHING;
        roomWait.leave();
        deadlines.closing(System.nanoTime());
        if (clientMayBeSending) {
            // Octets nobody reads would make the kernel reset the connection, and the reply might be lost with it.
            socket.resume();
            socket.closeAfter(LINGER);
        } else {
            socket.end();
        }
    }
}
