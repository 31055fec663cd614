package dev.oneshot.mailer.sending;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** When mails are retried. The defaults make 40 attempts in eight hours, if the address lives that long. */
@ConfigMapping(prefix = "oneshot.mailer.retry")
public interface RetryConfig {

    /** The short pause, before the first retries. */
    @WithDefault("15s")
    Duration shortPause();

    /** How many attempts follow a short pause. */
    @WithDefault("4")
    int shortTries();

    /** The medium pause, before the next retries. */
    @WithDefault("2m")
    Duration mediumPause();

    /** How many attempts follow a medium pause. */
    @WithDefault("5")
    int mediumTries();

    /** The long pause, before all further retries. */
    @WithDefault("15m")
    Duration longPause();

    /** How many attempts follow a long pause; after them the mail is given up. */
    @WithDefault("30")
    int longTries();

    /** The largest random extension of a pause, as a fraction of it (0 to 1). It spreads mails that failed together. */
    @WithDefault("0.2")
    double jitter();
}
