package dev.oneshot.ingest.net;

import dev.oneshot.ingest.delivery.MailDelivery;
import dev.oneshot.ingest.memory.MessageMemory;
import dev.oneshot.ingest.smtp.Client;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.session.RecipientPolicy;
import dev.oneshot.ingest.smtp.session.SmtpSession;
import io.vertx.core.Context;
import io.vertx.core.net.NetSocket;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;

/** Creates connections: a socket with a session. */
@Singleton
final class Connections {

    private static final int ID_RADIX = 36;

    private final SmtpPolicy policy;
    private final RecipientPolicy recipients;
    private final InstantSource clock;
    private final SmtpTls tls;
    private final MailDelivery delivery;
    private final SmtpMetrics metrics;
    private final Deadlines.Bounds bounds;
    private final MessageMemory memory;

    Connections(
            SmtpPolicy policy,
            RecipientPolicy recipients,
            InstantSource clock,
            SmtpTls tls,
            MailDelivery delivery,
            SmtpMetrics metrics,
            Deadlines.Bounds bounds,
            MessageMemory memory) {
        this.policy = policy;
        this.recipients = recipients;
        this.clock = clock;
        this.tls = tls;
        this.delivery = delivery;
        this.metrics = metrics;
        this.bounds = bounds;
        this.memory = memory;
    }

    ClientConnection connection(NetSocket socket, Context eventLoop, InetAddress address) {
        MessageMemory.Room room = memory.room();
        // The session's name in logs and in Received; random, and not a secret.
        String id = Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), ID_RADIX);
        Client client = new Client(id, address, tls.isOffered());
        return new ClientConnection(
                new SmtpSocket(socket, eventLoop),
                new SmtpSession(policy, recipients, room, clock, metrics, client),
                delivery,
                metrics,
                new Deadlines(bounds, System.nanoTime()),
                new MemoryWait(room, memory.waitMax(), metrics, eventLoop));
    }
}
