package dev.oneshot.ingest.smtp.session;

/** Observes the events of sessions. Called on the threads of the sessions; must not block. */
public interface SessionObserver {

    /**
     * A client got a negative reply.
     *
     * @param code the reply code, 400 or more
     * @param status the enhanced status code (RFC 3463)
     */
    void refused(int code, String status);

    /** This many Authentication-Results fields with the server's authserv-id were removed from a message. */
    void ownResultsRemoved(int fields);
}
