package dev.oneshot.mailer.relay;

import dev.oneshot.contracts.event.MailSettled.Failure;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A failure that ends the connection. */
final class SmtpFailure extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient RelayResult.Failed result;

    SmtpFailure(Failure failure, @Nullable SmtpReply reply, String message) {
        super(message);
        this.result = new RelayResult.Failed(failure, reply == null ? null : reply.codes());
    }

    RelayResult.Failed result() {
        return result;
    }
}
