package dev.oneshot.mailer.request;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How much the mailer does at once. */
@ConfigMapping(prefix = "oneshot.mailer")
public interface MailerConfig {

    /** How many new mails are handed to the relay at once, 1 to 1000; each takes a connection. */
    @WithDefault("16")
    int concurrency();

    /** How many mails are retried at once, for each of the three pauses, 1 to 1000. */
    @WithDefault("4")
    int retryConcurrency();

    /** How much of requests may lie in memory, for each of the four topics; a single larger request is still taken. */
    @WithDefault("32M")
    MemorySize memory();

    /**
     * How long a partition that is taken away, or a stop of the service, waits for attempts that have begun. One that
     * takes longer is withdrawn and repeated elsewhere; if the relay has all of the mail and has not answered, it arrives
     * twice.
     */
    @WithDefault("20s")
    Duration drainTimeout();

    /** How often the content of requests that are settled is deleted from Kafka. */
    @WithDefault("10s")
    Duration eraseInterval();

    /** How many deleted addresses are remembered, at some 150 octets each. */
    @WithDefault("200000")
    int deletedAddressesMax();
}
