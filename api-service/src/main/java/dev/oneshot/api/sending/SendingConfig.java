package dev.oneshot.api.sending;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Sending. */
@ConfigMapping(prefix = "oneshot.sending")
public interface SendingConfig {

    /** As the description of the interface has it. */
    int ATTACHMENTS_MAX_DEFAULT = 100;

    /** The most attachments of a mail, 0 to 1000. */
    @WithDefault("" + ATTACHMENTS_MAX_DEFAULT)
    int attachmentsMax();

    /** How many requests one pass over the outbox publishes at the most, at least 1. */
    @WithDefault("100")
    int outboxBatch();

    /** How much of requests one pass takes into memory; a single larger one is still taken. */
    @WithDefault("32M")
    MemorySize outboxMemory();

    /** How often to look for mail of other replicas in the outbox; a commit of this one triggers a look at once. */
    @WithDefault("250ms")
    Duration outboxInterval();

    /**
     * How many requests are with the mailers at the most, at least 1. Fewer than all mailers' connections leave some idle; more wait
     * in Kafka, where a deletion does not stop them.
     */
    @WithDefault("1000")
    int window();

    /**
     * For how long a mail is leased to a mailer, 15 s to less than a day. Mailers extend the leases of attempts that take longer. A
     * killed mailer's mails are sent again when their leases have ended.
     */
    @WithDefault("1m")
    Duration lease();
}
