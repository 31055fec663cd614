package dev.oneshot.ingest.authentication;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How DNS is queried. */
@ConfigMapping(prefix = "oneshot.dns")
public interface DnsConfig {

    /**
     * The resolving name servers, as {@code 192.0.2.53}, {@code 192.0.2.53:5353} or {@code [2001:db8::53]:53}, in
     * the order in which they are queried: the next one if one does not respond within 300 ms. Use your own: senders choose the queries, and many mails cause many. By default
     * those of the machine.
     */
    Optional<List<String>> servers();

    /** How long one look-up may take, on all servers together. */
    @WithDefault("2s")
    Duration queryTimeout();

    /** The memory for cached answers. They are cached for their TTL, an hour at most. */
    @WithDefault("8M")
    MemorySize cacheBytesMax();
}
