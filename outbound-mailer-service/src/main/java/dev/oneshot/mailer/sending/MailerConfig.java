package dev.oneshot.mailer.sending;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How much the mailer does at once. */
@ConfigMapping(prefix = "oneshot.mailer")
public interface MailerConfig {

    /** How many mails are handed to the relay at once, 1 to 1000; each takes a connection. */
    @WithDefault("16")
    int concurrency();

    /** How much of requests may be in memory, besides what Kafka's client has fetched; a single larger request is still taken. */
    @WithDefault("32M")
    MemorySize memory();

    /** How long a stop waits for attempts that have begun. After it their connections are closed, and the mails are sent again. */
    @WithDefault("20s")
    Duration drainTimeout();
}
