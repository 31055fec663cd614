package dev.oneshot.api.database;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How failures of the database are handled. Its address is in {@code oneshot.database.url|username|password}. */
@ConfigMapping(prefix = "oneshot.database")
public interface DatabaseConfig {

    /** The Retry-After when the database is away. Whole seconds, at least one. */
    @WithDefault("PT2S")
    Duration retryAfter();

    /** How often work that lost against a concurrent transaction (deadlock, serialization) is tried in all. */
    @WithDefault("3")
    int attempts();
}
