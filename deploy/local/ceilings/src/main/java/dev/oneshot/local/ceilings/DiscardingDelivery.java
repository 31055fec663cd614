package dev.oneshot.local.ceilings;

import dev.oneshot.ingest.smtp.Origin;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailDelivery;
import jakarta.inject.Singleton;

/** Discards every message, so that only the cost of protocol and sockets remains. */
@Singleton
final class DiscardingDelivery implements MailDelivery {

    @Override
    public Incoming begin(Origin origin, ReversePath reversePath) {
        return (_, onOutcome) -> onOutcome.accept(DeliveryOutcome.STORED);
    }
}
