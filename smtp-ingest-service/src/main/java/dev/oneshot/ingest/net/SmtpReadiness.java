package dev.oneshot.ingest.net;

import dev.oneshot.ingest.recipient.ClosedAddressFeed;
import dev.oneshot.ingest.smtp.session.MailDelivery;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready when it listens, has read the closed addresses once, and knows the partitions of the topic. If Kafka fails later, the node
 * stays ready and replies 451, as all other nodes would.
 */
@Readiness
@Singleton
final class SmtpReadiness implements HealthCheck {

    private final SmtpServer server;
    private final ClosedAddressFeed closedAddresses;
    private final MailDelivery delivery;

    SmtpReadiness(SmtpServer server, ClosedAddressFeed closedAddresses, MailDelivery delivery) {
        this.server = server;
        this.closedAddresses = closedAddresses;
        this.delivery = delivery;
    }

    @Override
    public HealthCheckResponse call() {
        boolean ready = server.isAccepting() && closedAddresses.isComplete() && delivery.isReady();
        return HealthCheckResponse.named("smtp")
                .status(ready)
                .withData("accepting", server.isAccepting())
                .withData("closedAddressesRead", closedAddresses.isComplete())
                .withData("topicKnown", delivery.isReady())
                .build();
    }
}
