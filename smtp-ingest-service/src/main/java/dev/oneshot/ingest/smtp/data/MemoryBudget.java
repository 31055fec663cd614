package dev.oneshot.ingest.smtp.data;

/**
 * The memory of one session's message, within the budget of all sessions. Called on the thread of the session, or of
 * the delivery while it has the message; must not block.
 */
public interface MemoryBudget {

    /**
     * Reserves bytes. If there are not enough, reserves none and returns false; the session then asks the transport
     * to wait.
     */
    boolean reserve(long octets);

    /** Releases bytes. */
    void release(long octets);
}
