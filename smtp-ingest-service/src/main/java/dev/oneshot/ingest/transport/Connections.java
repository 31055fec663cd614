package dev.oneshot.ingest.transport;

import dev.oneshot.ingest.delivery.MailDelivery;
import io.vertx.core.Context;
import io.vertx.core.net.NetSocket;
import jakarta.inject.Singleton;
import java.net.InetAddress;

/** Makes connections: a socket, and a session under it. */
@Singleton
final class Connections {

    private final Sessions sessions;
    private final SmtpTls tls;
    private final MailDelivery delivery;
    private final SmtpMetrics metrics;
    private final Deadlines.Bounds bounds;

    Connections(Sessions sessions, SmtpTls tls, MailDelivery delivery, SmtpMetrics metrics, Deadlines.Bounds bounds) {
        this.sessions = sessions;
        this.tls = tls;
        this.delivery = delivery;
        this.metrics = metrics;
        this.bounds = bounds;
    }

    SmtpConnection connection(NetSocket socket, Context eventLoop, InetAddress client) {
        return new SmtpConnection(
                socket,
                eventLoop,
                sessions.begin(client, tls.isOffered()),
                delivery,
                metrics,
                new Deadlines(bounds, System.nanoTime()));
    }
}
