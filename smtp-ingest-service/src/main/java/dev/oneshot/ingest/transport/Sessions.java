package dev.oneshot.ingest.transport;

import dev.oneshot.ingest.smtp.Client;
import dev.oneshot.ingest.smtp.MemoryBudget;
import dev.oneshot.ingest.smtp.RecipientPolicy;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.SmtpSession;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;

/** Begins sessions under the configured policy. */
@Singleton
final class Sessions {

    private static final int ID_RADIX = 36;

    private final SmtpPolicy policy;
    private final RecipientPolicy recipients;
    private final MemoryBudget memory;
    private final InstantSource clock;

    Sessions(SmtpConfig config, RecipientPolicy recipients, MemoryBudget memory, InstantSource clock) {
        this.policy = policy(config);
        this.recipients = recipients;
        this.memory = memory;
        this.clock = clock;
    }

    SmtpSession begin(InetAddress client) {
        // Names the session in logs and in Received; unique enough, and a secret to nobody.
        String id = Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), ID_RADIX);
        return new SmtpSession(policy, recipients, memory, clock, new Client(id, client, false));
    }

    private static SmtpPolicy policy(SmtpConfig config) {
        try {
            return new SmtpPolicy(
                    config.hostname(),
                    config.messageBytesMax().asLongValue(),
                    config.recipientsMax(),
                    config.messagesMax(),
                    config.errorsMax(),
                    Math.toIntExact(config.headerBytesMax().asLongValue()),
                    Math.toIntExact(config.contentLineBytesMax().asLongValue()),
                    config.discardBytesMax().asLongValue());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException("oneshot.smtp: " + e.getMessage(), e);
        }
    }
}
