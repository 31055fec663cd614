package dev.oneshot.mailer.relay;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads the reply to the data while the data is written. A relay may reject a mail in the middle of the data and
 * close; without reading, only a broken connection would be seen.
 *
 * <p>A reply, a close or an error before the end of the data ends the connection at once, without the end of the
 * data: a later reply would be ambiguous.
 */
final class DataReply {

    // Under TLS, bytes that have arrived need not be a reply.
    private static final long UNREAD_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private enum Phase {
        /** The data is being written. */
        DATA,
        /** The end of the data may be sent; the relay must reply. */
        ENDED,
        /** The relay replied or closed before the end of the data. */
        CUT_SHORT
    }

    private final SmtpChannel channel;
    private final FutureTask<SmtpReply> reply;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.DATA);

    private DataReply(SmtpChannel channel) {
        this.channel = channel;
        this.reply = new FutureTask<>(this::read);
    }

    /** Starts reading on a new thread, until there is a reply or the connection ends. */
    static DataReply begin(SmtpChannel channel) {
        DataReply begun = new DataReply(channel);
        Thread.ofVirtual().name("relay-reply").start(begun.reply);
        return begun;
    }

    private SmtpReply read() throws IOException {
        try {
            channel.awaitReply();
            comesEarly();
            return channel.reply();
        } finally {
            if (comesEarly()) {
                channel.abort();
            }
        }
    }

    /** Notes that the relay replied or closed; true if that was before the end of the data. */
    private boolean comesEarly() {
        return phase.compareAndExchange(Phase.DATA, Phase.CUT_SHORT) != Phase.ENDED;
    }

    /**
     * Whether the end of the data may be sent; called right before. Waits until bytes that have arrived are read, as
     * the reading thread may lag behind.
     */
    boolean mayEnd() throws IOException {
        while (phase.get() == Phase.DATA && channel.hasUnread()) {
            LockSupport.parkNanos(UNREAD_POLL_NANOS);
        }
        return phase.compareAndExchange(Phase.DATA, Phase.ENDED) != Phase.CUT_SHORT;
    }

    /** Waits for the reply, or the end of the connection. */
    SmtpReply await() throws IOException {
        try {
            return reply.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while sending the data");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException("reading a reply failed", e);
        }
    }
}
