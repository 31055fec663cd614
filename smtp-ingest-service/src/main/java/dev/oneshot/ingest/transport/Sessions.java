package dev.oneshot.ingest.transport;

import dev.oneshot.ingest.smtp.Client;
import dev.oneshot.ingest.smtp.MemoryBudget;
import dev.oneshot.ingest.smtp.RecipientPolicy;
import dev.oneshot.ingest.smtp.SessionObserver;
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
    private final InstantSource clock;
    private final SessionObserver observer;

    Sessions(SmtpPolicy policy, RecipientPolicy recipients, InstantSource clock, SessionObserver observer) {
        this.policy = policy;
        this.recipients = recipients;
        this.clock = clock;
        this.observer = observer;
    }

    /** A session that has not been greeted yet; the memory is for it alone. */
    SmtpSession begin(InetAddress client, boolean tlsOffered, MemoryBudget memory) {
        // Names the session in logs and in Received; unique enough, and a secret to nobody.
        String id = Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), ID_RADIX);
        return new SmtpSession(policy, recipients, memory, clock, observer, new Client(id, client, tlsOffered));
    }
}
