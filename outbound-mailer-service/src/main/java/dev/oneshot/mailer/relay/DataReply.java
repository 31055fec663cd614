package dev.oneshot.mailer.relay;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Reads the reply to the data while the data is written. A relay may reject a mail in the middle of the data and
 * close; without reading, only a broken connection would be seen.
 *
 * <p>A reply, a close or an error before the end of the data ends the connection at once, without the end of the
 * data: a later reply would be ambiguous.
 */
final class DataReply {

    // Under TLS, arrived bytes need not be a reply.
    private static final long UNREAD_POLL_MILLIS = 1;

    private enum Turn {
        OURS,
        RELAYS,
        /** The relay replied or closed before the end of the data. */
        OVER
    }

    private final SmtpChannel channel;
    private final FutureTask<SmtpReply> reply;
    private Turn turn = Turn.OURS;

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

    private SmtpReply read() throws IOException, SmtpFailure {
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
    private synchronized boolean comesEarly() {
        if (turn == Turn.OURS) {
            turn = Turn.OVER;
            notifyAll();
        }
        return turn == Turn.OVER;
    }

    /**
     * Whether the end of the data may be sent; called right before. Waits until bytes that have arrived are read, as
     * the reading thread may lag behind.
     */
    synchronized boolean mayEnd() throws IOException {
        while (turn == Turn.OURS && channel.hasUnread()) {
            try {
                wait(UNREAD_POLL_MILLIS);
            } catch (InterruptedException e) {
                throw interrupted();
            }
        }
        if (turn == Turn.OURS) {
            turn = Turn.RELAYS;
        }
        return turn == Turn.RELAYS;
    }

    /** Waits for the reply, or the end of the connection. */
    SmtpReply await() throws IOException, SmtpFailure {
        try {
            return reply.get();
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException failure -> throw failure;
                case SmtpFailure failure -> throw failure;
                case null, default -> throw new IllegalStateException("reading a reply failed", e);
            }
        }
    }

    private static InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted while sending the data");
    }
}
