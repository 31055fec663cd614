package dev.oneshot.ingest.delivery;

import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import dev.oneshot.ingest.smtp.session.SessionObserver;
import java.util.concurrent.CompletionStage;

/**
 * Stores complete messages; the 250 follows. A {@link #deliver} after {@link #contentBegins} is for that message, unless its
 * transaction was aborted.
 */
public interface MailDelivery extends SessionObserver {

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
