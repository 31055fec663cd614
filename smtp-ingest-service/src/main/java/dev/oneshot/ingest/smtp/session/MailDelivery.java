package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.Origin;
import dev.oneshot.ingest.smtp.ReversePath;
import java.util.function.Consumer;

/** Stores messages. Called on the threads of the sessions; must not block. */
public interface MailDelivery {

    /** The delivery of one message. If the message is aborted, nothing more is called. */
    @FunctionalInterface
    interface Incoming {

        /**
         * Stores the message for all of its recipients. Called at most once.
         *
         * @param onOutcome called exactly once, on any thread; the bytes of the transaction must not change before
         */
        void store(MailTransaction transaction, Consumer<DeliveryOutcome> onOutcome);
    }

    /** The content of a message from this sender is about to arrive. */
    Incoming begin(Origin origin, ReversePath reversePath);

    /** Whether messages can be stored. */
    default boolean isReady() {
        return true;
    }
}
