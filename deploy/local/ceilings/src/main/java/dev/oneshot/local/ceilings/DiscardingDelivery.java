package dev.oneshot.local.ceilings;

import dev.oneshot.ingest.delivery.MailDelivery;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Discards every message, so that only the cost of protocol and sockets remains. */
@Singleton
final class DiscardingDelivery implements MailDelivery {

    @Override
    public CompletionStage<DeliveryOutcome> deliver(MailTransaction transaction) {
        return CompletableFuture.completedFuture(DeliveryOutcome.STORED);
    }
}
