package dev.oneshot.mcp;

import dev.oneshot.client.Email;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The calls without a response, by the ids of their requests. A cancelled call gets no response, and its wait ends. */
final class Calls {

    /** A call, and the thread that waits for it. */
    private static final class Call {
        private @Nullable Thread waiting;
        private boolean cancelled;
    }

    /** Waits for an e-mail. */
    interface Wait {
        Email run() throws InterruptedException;
    }

    private final Map<Object, Call> open = new HashMap<>();

    synchronized void begin(Object id) {
        open.put(id, new Call());
    }

    /** Ends a call, and returns whether its response is sent. */
    synchronized boolean end(@Nullable Object id) {
        Call call = open.remove(id);
        return call == null || !call.cancelled;
    }

    synchronized void cancel(@Nullable Object id) {
        Call call = open.get(id);
        if (call != null) {
            call.cancelled = true;
            if (call.waiting != null) {
                call.waiting.interrupt();
            }
        }
    }

    synchronized void cancelAll() {
        List.copyOf(open.keySet()).forEach(this::cancel);
    }

    /**
     * Waits, and stops to wait when the call is cancelled.
     *
     * @throws InterruptedException if it is cancelled
     */
    Email await(@Nullable Object id, Wait wait) throws InterruptedException {
        Call call = waits(id, Thread.currentThread());
        try {
            return wait.run();
        } finally {
            synchronized (this) {
                call.waiting = null;
                // The thread has other work after this.
                Thread.interrupted();
            }
        }
    }

    private synchronized Call waits(@Nullable Object id, Thread thread) throws InterruptedException {
        Call call = open.getOrDefault(id, new Call());
        if (call.cancelled) {
            throw new InterruptedException();
        }
        call.waiting = thread;
        return call;
    }
}
