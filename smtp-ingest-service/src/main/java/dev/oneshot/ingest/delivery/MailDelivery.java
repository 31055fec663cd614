package dev.oneshot.ingest.delivery;

import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import java.util.concurrent.CompletionStage;

/** Stores accepted messages. */
public interface MailDelivery {

    /**
     * Stores a message for all of its recipients, without blocking.
     *
     * @return the outcome, on any thread; never completes exceptionally. The bytes of the transaction must not
     *     change before.
     */
    CompletionStage<DeliveryOutcome> deliver(MailTransaction transaction);

    /** Whether messages can be stored. */
    boolean isReady();
}
