package dev.oneshot.ingest.authentication;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** Whether the senders of messages are checked. */
@ConfigMapping(prefix = "oneshot.authentication")
public interface AuthenticationConfig {

    /**
     * Whether SPF, DKIM and DMARC are checked. By default if {@code oneshot.dns.servers} is set: without DNS, each
     * message would wait for results that are temporary errors.
     */
    Optional<Boolean> enabled();

    /** How long the checks may take after the end of a message; at most 1 minute, as the client waits for its 250. */
    @WithDefault("5s")
    Duration timeout();
}
