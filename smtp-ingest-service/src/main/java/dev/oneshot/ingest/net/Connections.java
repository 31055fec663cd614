package dev.oneshot.ingest.net;

import dev.oneshot.ingest.authentication.AuthenticationSettings;
import dev.oneshot.ingest.memory.MessageMemory;
import dev.oneshot.ingest.smtp.Client;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.session.ClientAllowance;
import dev.oneshot.ingest.smtp.session.ExpectedRetries;
import dev.oneshot.ingest.smtp.session.RecipientPolicy;
import dev.oneshot.ingest.smtp.session.SessionPorts;
import dev.oneshot.ingest.smtp.session.SmtpSession;
import io.vertx.core.Context;
import io.vertx.core.net.NetSocket;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;

/** Creates a connection for each socket, with a session. */
@Singleton
final class Connections {

    private static final int ID_RADIX = 36;

    private final SessionPorts ports;
    private final SmtpTls tls;
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
        this.ports = new SessionPorts(
                policy, recipients, new ExpectedRetries(clock), authentication.delivery(), metrics, clock);
        this.tls = tls;
        this.metrics = metrics;
        this.config = config;
        this.memory = memory;
    }

    ClientConnection connection(NetSocket socket, Context eventLoop, InetAddress address, ClientAllowance allowance) {
        MessageMemory.SessionMemory sessionMemory = memory.ofSession();
        // The session's name in logs and in Received; random, and not a secret.
        String id = Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), ID_RADIX);
        Client client = new Client(id, address, tls.isOffered());
        return new ClientConnection(
                new SmtpSocket(socket, eventLoop, tls),
                new SmtpSession(ports, sessionMemory, client, allowance),
                metrics,
                new Deadlines(config, System.nanoTime()),
                sessionMemory);
    }
}
