package dev.oneshot.ingest.smtp;

/** Why the transport ends a session of its own accord. */
public enum Ending {
    IDLE(Replies.IDLE),
    TOO_SLOW(Replies.TOO_SLOW),
    STOPPING(Replies.STOPPING),
    TOO_MANY_CONNECTIONS(Replies.TOO_MANY_CONNECTIONS),
    TOO_MANY_FROM_CLIENT(Replies.TOO_MANY_FROM_CLIENT);

    @SuppressWarnings("ImmutableEnumChecker") // Its lines are a copy.
    private final Reply reply;

    Ending(Reply reply) {
        this.reply = reply;
    }

    Reply reply() {
        return reply;
    }
}
