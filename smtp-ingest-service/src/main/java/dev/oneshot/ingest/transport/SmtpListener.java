package dev.oneshot.ingest.transport;

import dev.oneshot.ingest.delivery.MailDelivery;
import dev.oneshot.ingest.smtp.SmtpSession;
import dev.oneshot.ingest.smtp.SmtpSession.Ending;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The server of one event loop. All of them share the port. */
final class SmtpListener extends AbstractVerticle {

    private static final long TICK_MILLIS = 1000;

    private final NetServerOptions options;
    private final Sessions sessions;
    private final MailDelivery delivery;
    private final ConnectionCounts counts;
    private final SmtpMetrics metrics;
    private final Deadlines.Bounds bounds;
    private final AtomicInteger actualPort;
    private final Set<SmtpConnection> connections = new HashSet<>();
    private boolean stopping;

    SmtpListener(
            NetServerOptions options,
            Sessions sessions,
            MailDelivery delivery,
            ConnectionCounts counts,
            SmtpMetrics metrics,
            Deadlines.Bounds bounds,
            AtomicInteger actualPort) {
        this.options = options;
        this.sessions = sessions;
        this.delivery = delivery;
        this.counts = counts;
        this.metrics = metrics;
        this.bounds = bounds;
        this.actualPort = actualPort;
    }

    @Override
    public void start(Promise<Void> started) {
        NetServer server = vertx.createNetServer(options).connectHandler(this::accept);
        server.listen()
                .onSuccess(listening -> actualPort.set(listening.actualPort()))
                .<Void>mapEmpty()
                .onComplete(started);
        vertx.setPeriodic(TICK_MILLIS, _ -> tick());
    }

    /** From now on: new connections are refused, idle ones ended, and those with a message when they have done. */
    void stopGently() {
        context.runOnContext(_ -> {
            stopping = true;
            Set.copyOf(connections).forEach(SmtpConnection::stopWhenIdle);
        });
    }

    /** Ends what is left. */
    void stopNow() {
        context.runOnContext(_ -> Set.copyOf(connections).forEach(SmtpConnection::stopNow));
    }

    private void tick() {
        long now = System.nanoTime();
        for (SmtpConnection connection : Set.copyOf(connections)) {
            connection.enforceDeadlines(now);
            if (stopping) {
                connection.stopWhenIdle();
            }
        }
    }

    private void accept(NetSocket socket) {
        InetAddress client = InetAddress.ofLiteral(socket.remoteAddress().hostAddress());
        SmtpSession session = sessions.begin(client, false);
        SmtpConnection connection = new SmtpConnection(
                socket, context, session, delivery, metrics, new Deadlines(bounds, System.nanoTime()));
        connections.add(connection);
        Ending refusal = enter(client);
        socket.closeHandler(_ -> {
            connections.remove(connection);
            connection.gone();
            if (refusal == null) {
                counts.leave(client);
                counts.leave();
            }
        });
        // A reset connection closes as well, and that is all there is to know about it.
        socket.exceptionHandler(_ -> socket.close());
        if (refusal == null) {
            metrics.sessionBegun();
            connection.open();
        } else {
            connection.refuse(refusal);
        }
    }

    private @Nullable Ending enter(InetAddress client) {
        if (stopping) {
            return Ending.STOPPING;
        }
        if (!counts.enter()) {
            return Ending.TOO_MANY_CONNECTIONS;
        }
        if (!counts.enter(client)) {
            counts.leave();
            return Ending.TOO_MANY_FROM_CLIENT;
        }
        return null;
    }
}
