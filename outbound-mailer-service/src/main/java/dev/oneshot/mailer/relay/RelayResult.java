package dev.oneshot.mailer.relay;

import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Reply;
import org.jspecify.annotations.Nullable;

/** How an attempt ended. */
public sealed interface RelayResult {

    /** The relay took the mail and answers for it from now on. */
    record Relayed(Reply reply) implements RelayResult {}

    /** The relay will never take this mail. */
    record Refused(Failure failure, @Nullable Reply reply) implements RelayResult {}

    /** It did not work this time. Unless the end of the data had been sent, the relay does not have the mail. */
    record Failed(Failure failure, @Nullable Reply reply) implements RelayResult {}
}
