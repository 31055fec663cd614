package dev.oneshot.mailer.sending;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How patiently a mail is tried. The defaults make 40 tries in some eight hours, if its address lives that long. */
@ConfigMapping(prefix = "oneshot.mailer.retry")
public interface RetryConfig {

    /** The pause before the first tries. */
    @WithDefault("15s")
    Duration shortPause();

    /** How many tries follow a short pause. */
    @WithDefault("4")
    int shortTries();

    /** The pause before the tries after those. */
    @WithDefault("2m")
    Duration mediumPause();

    /** How many tries follow a medium pause. */
    @WithDefault("5")
    int mediumTries();

    /** The pause before all further tries. */
    @WithDefault("15m")
    Duration longPause();

    /** How many tries follow a long pause; after them the mail is given up. */
    @WithDefault("30")
    int longTries();

    /** By how much of itself a pause is prolonged at most, at random, so that mails that failed together part; 0 to 1. */
    @WithDefault("0.2")
    double jitter();
}
