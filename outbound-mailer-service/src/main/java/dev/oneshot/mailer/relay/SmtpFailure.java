package dev.oneshot.mailer.relay;

import dev.oneshot.contracts.event.MailSettled.Failure;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A failure that ends the connection. */
final class SmtpFailure extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final Failure failure;
    private final transient @Nullable SmtpReply reply;

    SmtpFailure(Failure failure, @Nullable SmtpReply reply, String message) {
        super(message);
        this.failure = failure;
        this.reply = reply;
    }

    Failure failure() {
        return failure;
    }

    @Nullable
    SmtpReply reply() {
        return reply;
    }
}
