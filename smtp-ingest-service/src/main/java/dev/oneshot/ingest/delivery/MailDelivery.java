package dev.oneshot.ingest.delivery;

import dev.oneshot.ingest.smtp.DeliveryOutcome;
import dev.oneshot.ingest.smtp.MailTransaction;
import java.util.concurrent.CompletionStage;

/** Where accepted messages go. */
public interface MailDelivery {

    /**
     * Stores a message for all of its recipients. Does not block.
     *
     * @return the outcome, on any thread; never completes exceptionally. Until then the octets of the transaction must
     *     not be changed.
     */
    CompletionStage<DeliveryOutcome> deliver(MailTransaction transaction);

    /** Whether a message could be stored as far as is known. */
    boolean isReady();
}
