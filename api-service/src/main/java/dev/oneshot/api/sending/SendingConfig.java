package dev.oneshot.api.sending;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Sending. */
@ConfigMapping(prefix = "oneshot.sending")
public interface SendingConfig {

    /**
     * How many requests are with the mailers at the most, at least 1. Fewer than all mailers' connections leave some idle; more wait
     * in Kafka, where a deletion does not stop them.
     */
    @WithDefault("1000")
    int window();

    /**
     * For how long a mail is leased to a mailer, 15 s to less than a day. Mailers extend the leases of attempts that take longer. A
     * killed mailer's mails are sent again when their leases have ended.
     */
    @WithDefault("1m")
    Duration lease();
}
