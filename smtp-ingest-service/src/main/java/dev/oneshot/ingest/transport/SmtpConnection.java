package dev.oneshot.ingest.transport;

import dev.oneshot.ingest.delivery.MailDelivery;
import dev.oneshot.ingest.smtp.DeliveryOutcome;
import dev.oneshot.ingest.smtp.MailTransaction;
import dev.oneshot.ingest.smtp.Output;
import dev.oneshot.ingest.smtp.Output.Next;
import dev.oneshot.ingest.smtp.SmtpSession;
import dev.oneshot.ingest.smtp.SmtpSession.Ending;
import dev.oneshot.ingest.smtp.SmtpSession.Phase;
import io.netty.buffer.ByteBuf;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.nio.ByteBuffer;

/**
 * One connection: carries octets between its socket and its session, and what the session accepts to the delivery.
 * Everything happens on the event loop of the socket.
 */
final class SmtpConnection {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final NetSocket socket;
    private final Context eventLoop;
    private final SmtpSession session;
    private final MailDelivery delivery;
    private final SmtpMetrics metrics;
    private final Deadlines deadlines;

    private ByteBuffer input = NOTHING;
    private boolean ending;
    private boolean gone;

    SmtpConnection(
            NetSocket socket,
            Context eventLoop,
            SmtpSession session,
            MailDelivery delivery,
            SmtpMetrics metrics,
            Deadlines deadlines) {
        this.socket = socket;
        this.eventLoop = eventLoop;
        this.session = session;
        this.delivery = delivery;
        this.metrics = metrics;
        this.deadlines = deadlines;
    }

    void open() {
        socket.handler(this::receive);
        socket.drainHandler(_ -> readOn());
        perform(session.greet());
    }

    void refuse(Ending reason) {
        perform(session.end(reason));
    }

    /** The socket is closed. */
    void gone() {
        gone = true;
        session.abandon();
    }

    /** Ends what has taken too long; called about once a second. */
    void enforceDeadlines(long nowNanos) {
        switch (deadlines.exceeded(session.phase(), nowNanos)) {
            case NONE -> {}
            case IDLE -> perform(session.end(Ending.IDLE));
            case TOO_SLOW -> perform(session.end(Ending.TOO_SLOW));
            // The client does not even take our last words.
            case CLOSING -> socket.close();
        }
    }

    /** Ends the connection unless a mail transaction is on its way. */
    void stopWhenIdle() {
        if (session.phase() == Phase.COMMAND && !session.isInTransaction()) {
            perform(session.end(Ending.STOPPING));
        }
    }

    /** Ends the connection, whatever it is doing. */
    void stopNow() {
        perform(session.end(Ending.STOPPING));
    }

    // The array under the buffer spares a copy of every octet. Vert.x deprecates it to make it internal, not to drop
    // it.
    @SuppressWarnings("deprecation")
    private void receive(Buffer buffer) {
        ByteBuf octets = buffer.getByteBuf();
        deadlines.received(octets.readableBytes(), System.nanoTime());
        input = octets.hasArray()
                ? ByteBuffer.wrap(octets.array(), octets.arrayOffset() + octets.readerIndex(), octets.readableBytes())
                : ByteBuffer.wrap(buffer.getBytes());
        perform(session.receive(input));
    }

    private void perform(Output output) {
        if (output.replies().length > 0 && !gone) {
            socket.write(Buffer.buffer(output.replies()));
        }
        deadlines.entered(session.phase(), System.nanoTime());
        switch (output.next()) {
            case Next.Read _ -> readOn();
            case Next.Deliver deliver -> deliver(deliver.transaction());
            case Next.StartTls _ -> close();
            case Next.Close _ -> close();
        }
    }

    /** Reading stops while replies pile up that the client does not take. */
    private void readOn() {
        if (ending || gone || session.phase() == Phase.BUSY) {
            return;
        }
        if (socket.writeQueueFull()) {
            socket.pause();
        } else {
            socket.resume();
        }
    }

    private void deliver(MailTransaction transaction) {
        socket.pause();
        long since = System.nanoTime();
        delivery.deliver(transaction)
                .thenAccept(outcome -> eventLoop.runOnContext(_ -> settle(transaction, outcome, since)));
    }

    private void settle(MailTransaction transaction, DeliveryOutcome outcome, long since) {
        metrics.delivered(transaction, outcome, System.nanoTime() - since);
        session.settle(outcome);
        if (gone) {
            session.abandon();
        } else {
            perform(session.receive(input));
        }
    }

    private void close() {
        if (!ending && !gone) {
            ending = true;
            input = NOTHING;
            socket.pause();
            deadlines.closing(System.nanoTime());
            socket.end();
        }
    }
}
