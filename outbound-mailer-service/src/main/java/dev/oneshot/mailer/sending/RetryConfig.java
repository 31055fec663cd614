package dev.oneshot.mailer.sending;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** When mails are retried. The defaults make 40 attempts in more than eight hours, if the address lives that long. */
@ConfigMapping(prefix = "oneshot.mailer.retry")
public interface RetryConfig {

    /** The pause after the first attempt. Each further pause is twice as long. */
    @WithDefault("15s")
    Duration firstPause();

    @WithDefault("15m")
    Duration longestPause();

    /** How many attempts are made; after them the mail is given up. */
    @WithDefault("40")
    int attempts();
}
