package dev.oneshot.mailer.relay;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * The reply to the data, read while that is sent: a relay that will not have a mail may say so in the middle of it and go,
 * and whoever only writes hears nothing but a broken connection. What comes before the end of the data ends the connection at
 * once, also when the relay takes no more octets: it does not get the end, and nobody knows what it would reply then.
 */
final class DataReply {

    // Under TLS what has arrived need not be a reply.
    private static final long UNREAD_POLL_MILLIS = 1;

    private enum Turn {
        OURS,
        RELAYS,
        /** The relay has spoken, or gone, before it was its turn. */
        OVER
    }

    private final SmtpChannel channel;
    private final FutureTask<SmtpReply> reply;
    private Turn turn = Turn.OURS;

    private DataReply(SmtpChannel channel) {
        this.channel = channel;
        this.reply = new FutureTask<>(this::read);
    }

    /** Reads from now on, on a thread of its own, until there is a reply or the connection ends. */
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

    /** The relay speaks, or goes; whether that was before its turn. */
    private synchronized boolean comesEarly() {
        if (turn == Turn.OURS) {
            turn = Turn.OVER;
            notifyAll();
        }
        return turn == Turn.OVER;
    }

    /**
     * Whether the end of the data may be sent; asked right before. If not, the reply is there, or on its way, or will never
     * be. What has arrived is looked at first, though the thread that reads has had no turn.
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

    /** Waits for it, as long as the connection is there. */
    SmtpReply await() throws IOException, SmtpFailure {
        try {
            return reply.get();
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException failure -> throw failure;
                case SmtpFailure failure -> throw failure;
                case null, default -> throw new IllegalStateException("a reply was read wrongly", e);
            }
        }
    }

    private static InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted while sending the data");
    }
}
