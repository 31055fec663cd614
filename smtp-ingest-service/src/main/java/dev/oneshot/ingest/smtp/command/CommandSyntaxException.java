package dev.oneshot.ingest.smtp.command;

import dev.oneshot.ingest.smtp.Reply;
import java.io.Serial;

/** An unparseable command line, with its reply. */
public final class CommandSyntaxException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Reply reply;

    CommandSyntaxException(Reply reply) {
        // Without a stack trace, as clients can cause any number of these.
        super(null, null, false, false);
        this.reply = reply;
    }

    public Reply reply() {
        return reply;
    }
}
