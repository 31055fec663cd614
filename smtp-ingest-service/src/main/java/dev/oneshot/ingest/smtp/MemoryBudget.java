package dev.oneshot.ingest.smtp;

/**
 * What one session may hold of the octets of all sessions together, a message at a time. Called on the thread of the
 * session, and on that of the delivery while it has the message: must not block.
 */
public interface MemoryBudget {

    /**
     * Takes octets out of the budget, or takes none and returns false. Then the session asks its transport to wait for
     * them ({@link Output.Next.AwaitRoom}).
     */
    boolean reserve(long octets);

    /** Puts octets back. */
    void release(long octets);
}
