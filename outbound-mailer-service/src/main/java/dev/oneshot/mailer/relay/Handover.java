package dev.oneshot.mailer.relay;

import org.jspecify.annotations.Nullable;

/**
 * A mail on its way to the relay. Until the end of its data is sent the relay does not have it (RFC 5321 §4.1.1.4), and it
 * can be withdrawn for certain. The end is sent only while the mail is known to be ours: whoever lets it go says until when.
 *
 * <p>Safe for use by many threads.
 */
public final class Handover {

    private enum State {
        OPEN,
        ENDED,
        WITHDRAWN
    }

    private State state = State.OPEN;
    private long oursUntilNanos;
    private @Nullable Runnable abort;

    /** @param oursUntilNanos the {@link System#nanoTime()} up to which nobody else sends this mail */
    public Handover(long oursUntilNanos) {
        this.oursUntilNanos = oursUntilNanos;
    }

    /** Nobody else sends this mail up to this {@link System#nanoTime()}. */
    public synchronized void oursUntil(long nanos) {
        oursUntilNanos = nanos;
        notifyAll();
    }

    /** Does not let the mail go, if it has not gone: then {@link #isWithdrawn()} from now on. */
    public synchronized void withdraw() {
        if (state == State.OPEN) {
            state = State.WITHDRAWN;
            if (abort != null) {
                abort.run();
            }
            notifyAll();
        }
    }

    /** Withdraws the mail if no attempt has begun. */
    public synchronized void withdrawUnlessBegun() {
        if (abort == null) {
            withdraw();
        }
    }

    /** Whether the relay does not have the mail and will not get it. */
    public synchronized boolean isWithdrawn() {
        return state == State.WITHDRAWN;
    }

    /** What ends an attempt at once that waits for the relay. */
    synchronized void begin(Runnable abort) {
        this.abort = abort;
        if (state == State.WITHDRAWN) {
            abort.run();
        }
    }

    /** The attempt has ended: its connection may be at another mail, which a withdrawal of this one must not end. */
    synchronized void over() {
        abort = () -> {};
    }

    /**
     * Waits until the mail is known to be ours.
     *
     * @return whether the end of the data may be sent now; if not, it never may
     */
    synchronized boolean mayEnd() throws InterruptedException {
        while (state == State.OPEN && System.nanoTime() - oursUntilNanos >= 0) {
            wait();
        }
        if (state == State.OPEN) {
            state = State.ENDED;
        }
        return state == State.ENDED;
    }
}
