package dev.oneshot.ingest.delivery;

import dev.oneshot.ingest.smtp.Origin;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import java.util.concurrent.CompletionStage;

/** Stores accepted messages. */
public interface MailDelivery {

    /** The content of a message from this sender is about to arrive. It is delivered next, unless it is given up. */
    default void contentBegins(Origin origin, ReversePath reversePath) {}

    /**
     * Stores a message for all of its recipients, without blocking.
     *
     * @return the outcome, on any thread; never completes exceptionally. The bytes of the transaction must not
     *     change before.
     */
    CompletionStage<DeliveryOutcome> deliver(MailTransaction transaction);

    /** Whether messages can be stored. */
    default boolean isReady() {
        return true;
    }
}
