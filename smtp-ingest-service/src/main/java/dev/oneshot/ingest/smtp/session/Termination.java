package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.Replies;
import dev.oneshot.ingest.smtp.Reply;

/** Why the transport ends a session (RFC 5321 §3.8). */
public enum Termination {
    IDLE(Replies.IDLE),
    TOO_SLOW(Replies.TOO_SLOW),
    STOPPING(Replies.STOPPING),
    TOO_MANY_CONNECTIONS(Replies.TOO_MANY_CONNECTIONS),
    TOO_MANY_FROM_CLIENT(Replies.TOO_MANY_FROM_CLIENT);

    @SuppressWarnings("ImmutableEnumChecker") // Its lines are a copy.
    private final Reply reply;

    Termination(Reply reply) {
        this.reply = reply;
    }

    Reply reply() {
        return reply;
    }
}
