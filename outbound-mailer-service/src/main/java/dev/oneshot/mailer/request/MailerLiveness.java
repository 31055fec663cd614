package dev.oneshot.mailer.request;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/** Down when a loop has ended: nothing but a restart brings it back. */
@Liveness
@Singleton
final class MailerLiveness implements HealthCheck {

    private final Mailer mailer;

    MailerLiveness(Mailer mailer) {
        this.mailer = mailer;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("request loops")
                .status(mailer.isRunning())
                .build();
    }
}
