package dev.oneshot.ingest.net;

import dev.oneshot.ingest.authentication.AuthenticationSettings;
import dev.oneshot.ingest.delivery.MailDelivery;
import dev.oneshot.ingest.memory.MessageMemory;
import dev.oneshot.ingest.smtp.Client;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.session.ClientAllowance;
import dev.oneshot.ingest.smtp.session.RecipientPolicy;
import dev.oneshot.ingest.smtp.session.SmtpSession;
import io.vertx.core.Context;
import io.vertx.core.net.NetSocket;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Creates a connection for each socket, with a session. */
@Singleton
final class Connections {

    private static final int ID_RADIX = 36;

    private final SmtpPolicy policy;
    private final RecipientPolicy recipients;
    private final InstantSource clock;
    private final SmtpTls tls;
    private final AuthenticationSettings authentication;
    private final SmtpMetrics metrics;
    private final SmtpConfig config;
    private final MessageMemory memory;

    Connections(
            SmtpPolicy policy,
            RecipientPolicy recipients,
            InstantSource clock,
            SmtpTls tls,
            AuthenticationSettings authentication,
            SmtpMetrics metrics,
            SmtpConfig config,
            MessageMemory memory) {
        this.policy = policy;
        this.recipients = recipients;
        this.clock = clock;
        this.tls = tls;
        this.authentication = authentication;
        this.metrics = metrics;
        this.config = config;
        this.memory = memory;
    }

    ClientConnection connection(NetSocket socket, Context eventLoop, InetAddress address, ClientAllowance allowance) {
        MessageMemory.SessionMemory sessionMemory = memory.ofSession();
        // The session's name in logs and in Received; random, and not a secret.
        String id = Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), ID_RADIX);
        Client client = new Client(id, address, tls.isOffered());
        MailDelivery delivery = authentication.delivery();
        return new ClientConnection(
                new SmtpSocket(socket, eventLoop, tls),
                new SmtpSession(
                        policy, recipients, sessionMemory, clock, List.of(metrics, delivery), client, allowance),
                delivery,
                metrics,
                new Deadlines(config, System.nanoTime()),
                sessionMemory);
    }
}
