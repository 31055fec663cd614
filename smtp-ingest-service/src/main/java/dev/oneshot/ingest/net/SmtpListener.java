package dev.oneshot.ingest.net;

import dev.oneshot.ingest.RefusalLog;
import dev.oneshot.ingest.smtp.Replies;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import org.jboss.logging.Logger;

/** The server of one event loop. All listeners share the port. */
final class SmtpListener extends AbstractVerticle {

    private static final Logger LOG = Logger.getLogger(SmtpListener.class);
    private static final long TICK_MILLIS = 1000;

    private final NetServerOptions options;
    private final Connections factory;
    private final ClientNetworks clients;
    private final Set<ClientConnection> connections = new HashSet<>();
    private final RefusalLog withoutHeader = new RefusalLog();
    private volatile int port;
    private boolean stopping;

    SmtpListener(NetServerOptions options, Connections factory, ClientNetworks clients) {
        this.options = options;
        this.factory = factory;
        this.clients = clients;
    }

    @Override
    public void start(Promise<Void> started) {
        vertx.createNetServer(options)
                .connectHandler(this::accept)
                .listen()
                .onSuccess(server -> port = server.actualPort())
                .<Void>mapEmpty()
                .onComplete(started);
        vertx.setPeriodic(TICK_MILLIS, _ -> enforceDeadlines(System.nanoTime()));
    }

    /** The port it listens on; 0 before. */
    int port() {
        return port;
    }

    /** Refuses new connections, and ends idle ones at once and others after their message. */
    void stopGently() {
        context.runOnContext(_ -> {
            stopping = true;
            Set.copyOf(connections).forEach(ClientConnection::stopWhenIdle);
        });
    }

    /** Ends all remaining connections. */
    void stopNow() {
        context.runOnContext(_ -> Set.copyOf(connections).forEach(connection -> connection.end(Replies.STOPPING)));
    }

    private void enforceDeadlines(long nowNanos) {
        Set.copyOf(connections).forEach(connection -> connection.enforceDeadlines(nowNanos));
    }

    private void accept(NetSocket socket) {
        // A reset connection also closes, so nothing else is needed.
        socket.exceptionHandler(_ -> socket.close());
        SmtpSocket.limitReads(socket);
        InetAddress peer = InetAddress.ofLiteral(socket.remoteAddress().hostAddress());
        if (!clients.open()) {
            add(socket, peer, () -> {}).end(Replies.TOO_MANY_CONNECTIONS);
            return;
        }
        socket.closeHandler(_ -> clients.close());
        if (clients.isProxy(peer)) {
            ProxyHeader.await(vertx, socket, client -> begin(socket, client.orElse(peer)), why -> warn(peer, why));
        } else {
            begin(socket, peer);
        }
    }

    /** Without this line, only missing mail would show a wrong setting. */
    private void warn(InetAddress peer, String why) {
        withoutHeader.log(count -> LOG.warnf(
                "smtp connections without a PROXY header are closed connections=%d peer=%s: %s, and"
                        + " oneshot.smtp.proxy-networks says that it speaks the PROXY protocol",
                count, peer.getHostAddress(), why));
    }

    private void begin(NetSocket socket, InetAddress client) {
        boolean entered = clients.enter(client);
        ClientConnection connection = add(socket, client, () -> {
            clients.close();
            if (entered) {
                clients.leave(client);
            }
        });
        if (stopping) {
            connection.end(Replies.STOPPING);
        } else if (entered) {
            connection.open();
        } else {
            connection.end(Replies.TOO_MANY_FROM_CLIENT);
        }
    }

    private ClientConnection add(NetSocket socket, InetAddress client, Runnable closed) {
        ClientConnection connection = factory.connection(socket, context, client, clients.allowance(client));
        connections.add(connection);
        socket.closeHandler(_ -> {
            connections.remove(connection);
            connection.gone();
            closed.run();
        });
        return connection;
    }
}
