package dev.oneshot.mailer.sending;

import io.smallrye.reactive.messaging.providers.extension.HealthCenter;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready once all channels have been connected to Kafka. If Kafka fails later, the mailer stays ready, as another replica would do no
 * better. SmallRye's own check fails while no connection is open, for example while brokers restart.
 */
@Readiness
@Singleton
final class MailerReadiness implements HealthCheck {

    private final HealthCenter channels;
    private volatile boolean hadKafka;

    MailerReadiness(HealthCenter channels) {
        this.channels = channels;
    }

    @Override
    public HealthCheckResponse call() {
        hadKafka = hadKafka || channels.getReadiness().isOk();
        return HealthCheckResponse.named("kafka").status(hadKafka).build();
    }
}
