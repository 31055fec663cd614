package dev.oneshot.mailer.sending;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Concurrency and memory of the mailer. */
@ConfigMapping(prefix = "oneshot.mailer")
public interface MailerConfig {

    /** How many mails are sent at once, 1 to 1000; each takes a connection. */
    @WithDefault("16")
    int concurrency();

    /** The most memory for mails, not counting records in Kafka's client. A single larger mail is still sent. */
    @WithDefault("32M")
    MemorySize memory();

    /**
     * How long a stop waits for attempts that have begun. After that their connections are closed, and the mails are
     * sent again.
     */
    @WithDefault("20s")
    Duration drainTimeout();
}
