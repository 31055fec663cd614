package dev.oneshot.api.idempotency;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How long answers to requests with an {@code Idempotency-Key} are kept. */
@ConfigMapping(prefix = "oneshot.idempotency")
public interface IdempotencyConfig {

    /**
     * From then on a key is as good as new: PT1S to P7D. A client that retries later than this has its effect twice;
     * what is kept longer fills the database.
     */
    @WithDefault("PT24H")
    Duration retention();
}
