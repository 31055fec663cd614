package dev.oneshot.mailer.relay;

import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Reply;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A failure that ends the connection. */
final class SmtpFailure extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final Failure failure;
    private final transient @Nullable Reply reply;

    SmtpFailure(Failure failure, @Nullable SmtpReply reply, String message) {
        super(message);
        this.failure = failure;
        this.reply = reply == null ? null : reply.codes();
    }

    Failure failure() {
        return failure;
    }

    @Nullable
    Reply reply() {
        return reply;
    }
}
