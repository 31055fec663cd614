package dev.oneshot.ingest.smtp;

/** The octets all sessions together may hold. Called on the threads of the sessions: must not block. */
public interface MemoryBudget {

    /** Takes octets out of the budget, or takes none and returns false. */
    boolean reserve(long octets);

    /** Puts octets back. */
    void release(long octets);
}
