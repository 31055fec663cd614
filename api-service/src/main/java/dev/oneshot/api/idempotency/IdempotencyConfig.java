package dev.oneshot.api.idempotency;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How long responses to requests with an {@code Idempotency-Key} are kept. */
@ConfigMapping(prefix = "oneshot.idempotency")
public interface IdempotencyConfig {

    /**
     * After this time a key is new again: PT1S to P7D. A client that retries later has its effect twice; a longer time fills
     * the database.
     */
    @WithDefault("PT24H")
    Duration retention();
}
