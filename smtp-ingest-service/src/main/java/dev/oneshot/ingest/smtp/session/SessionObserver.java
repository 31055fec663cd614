package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.Origin;
import dev.oneshot.ingest.smtp.ReversePath;

/** Observes the events of sessions. Called on the threads of the sessions; must not block. */
public interface SessionObserver {

    /**
     * A client got a negative reply.
     *
     * @param code the reply code, 400 or more
     * @param status the enhanced status code (RFC 3463)
     */
    default void refused(int code, String status) {}

    /** The content of a message from this sender is about to arrive. */
    default void contentBegins(Origin origin, ReversePath reversePath) {}

    /** This many Authentication-Results fields with the server's authserv-id were removed from a message. */
    default void ownResultsRemoved(int fields) {}
}
