package dev.oneshot.ingest.smtp;

import java.io.Serial;

/** A line that is no command of ours; knows its reply. */
final class CommandSyntaxException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Reply reply;

    CommandSyntaxException(Reply reply) {
        // Clients cause these at will, and nobody reads where: no stack trace.
        super(reply.toString(), null, false, false);
        this.reply = reply;
    }

    Reply reply() {
        return reply;
    }
}
