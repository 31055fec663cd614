package dev.oneshot.local.ceilings;

import dev.oneshot.ingest.delivery.MailDelivery;
import dev.oneshot.ingest.smtp.DeliveryOutcome;
import dev.oneshot.ingest.smtp.MailTransaction;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Forgets every message at once: what is left is the cost of the protocol and the sockets. */
@Singleton
final class DiscardingDelivery implements MailDelivery {

    @Override
    public CompletionStage<DeliveryOutcome> deliver(MailTransaction transaction) {
        return CompletableFuture.completedFuture(DeliveryOutcome.STORED);
    }

    @Override
    public boolean isReady() {
        return true;
    }
}
