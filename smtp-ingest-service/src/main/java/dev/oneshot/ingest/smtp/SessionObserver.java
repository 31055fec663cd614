package dev.oneshot.ingest.smtp;

/** Hears what sessions refuse. Called on the threads of the sessions: must not block. */
public interface SessionObserver {

    /**
     * A client was answered with a failure.
     *
     * @param code the reply code, 400 or more
     * @param status the enhanced status code (RFC 3463)
     */
    void refused(int code, String status);

    /** Authentication-Results fields that bore our authserv-id were removed from a message, so many of them. */
    default void ownResultsRemoved(int fields) {}
}
