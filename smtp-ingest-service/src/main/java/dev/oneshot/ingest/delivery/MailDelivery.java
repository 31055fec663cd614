package dev.oneshot.ingest.delivery;

import dev.oneshot.ingest.smtp.Origin;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import java.util.concurrent.CompletionStage;

/** Stores complete messages. The 250 follows. */
public interface MailDelivery {

    /** The content of a message begins. The next {@link #deliver} is for it, unless the transaction is aborted. */
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
