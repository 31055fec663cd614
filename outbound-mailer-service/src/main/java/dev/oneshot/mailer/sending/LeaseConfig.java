package dev.oneshot.mailer.sending;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** What api-service and the mailer must agree on. */
@ConfigMapping(prefix = "oneshot.sending")
public interface LeaseConfig {

    /** How long api-service leases a mail; must be longer than an attempt may take. Each record has the end of its own lease. */
    @WithDefault("25m")
    Duration lease();
}
