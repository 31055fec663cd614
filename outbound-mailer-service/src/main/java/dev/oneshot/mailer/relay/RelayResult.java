package dev.oneshot.mailer.relay;

import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Reply;
import org.jspecify.annotations.Nullable;

/** How an attempt ended. */
public sealed interface RelayResult {

    /** The relay accepted the mail and is responsible for it. */
    record Relayed(Reply reply) implements RelayResult {}

    /** No retry can succeed: a reply of 500 to 599, or an extension that the relay lacks. */
    record Refused(Failure failure, @Nullable Reply reply) implements RelayResult {}

    /** The attempt failed. The relay does not have the mail, unless the end of the data was sent. */
    record Failed(Failure failure, @Nullable Reply reply) implements RelayResult {}
}
