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
    private final MessageMemory memory;

    Connections(
            Sessions sessions,
            SmtpTls tls,
            MailDelivery delivery,
            SmtpMetrics metrics,
            Deadlines.Bounds bounds,
            MessageMemory memory) {
        this.sessions = sessions;
        this.tls = tls;
        this.delivery = delivery;
        this.metrics = metrics;
        this.bounds = bounds;
        this.memory = memory;
    }

    SmtpConnection connection(NetSocket socket, Context eventLoop, InetAddress client) {
        MessageMemory.Room room = memory.room();
        return new SmtpConnection(
                new SmtpSocket(socket, eventLoop),
                sessions.begin(client, tls.isOffered(), room),
                delivery,
                metrics,
                new Deadlines(bounds, System.nanoTime()),
                new RoomWait(room, memory.patience(), metrics, eventLoop));
    }
}
