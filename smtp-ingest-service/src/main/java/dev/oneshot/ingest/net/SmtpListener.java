package dev.oneshot.ingest.net;

import dev.oneshot.ingest.smtp.Replies;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/** The server of one event loop. All listeners share the port. */
final class SmtpListener extends AbstractVerticle {

    private static final Logger LOG = Logger.getLogger(SmtpListener.class);
    private static final long TICK_MILLIS = 1000;
    private static final Duration WARNING_PERIOD = Duration.ofMinutes(1);

    private final NetServerOptions options;
    private final Connections factory;
    private final ClientNetworks clients;
    private final SmtpSettings.Listening settings;
    private final Consumer<NetServer> listening;
    private final Set<ClientConnection> connections = new HashSet<>();
    private boolean stopping;
    private long warnedNanos = System.nanoTime() - WARNING_PERIOD.toNanos();

    /** @param listening called with the server once it listens */
    SmtpListener(
            NetServerOptions options,
            Connections factory,
            ClientNetworks clients,
            SmtpSettings.Listening settings,
            Consumer<NetServer> listening) {
        this.options = options;
        this.factory = factory;
        this.clients = clients;
        this.settings = settings;
        this.listening = listening;
    }

    @Override
    public void start(Promise<Void> started) {
        vertx.createNetServer(options)
                .connectHandler(this::accept)
                .listen()
                .onSuccess(listening::accept)
                .<Void>mapEmpty()
                .onComplete(started);
        vertx.setPeriodic(TICK_MILLIS, _ -> enforceDeadlines(System.nanoTime()));
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
        context.runOnContext(_ -> Set.copyOf(connections).forEach(ClientConnection::stopNow));
    }

    private void enforceDeadlines(long nowNanos) {
        for (ClientConnection connection : Set.copyOf(connections)) {
            connection.enforceDeadlines(nowNanos);
        }
    }

    /** Runs tasks that are due by then. */
    void advanceTo(long nowNanos) {
        context.runOnContext(_ -> enforceDeadlines(nowNanos));
    }

    private void accept(NetSocket socket) {
        // A reset connection also closes, so nothing else is needed.
        socket.exceptionHandler(_ -> socket.close());
        SmtpSocket.limitReads(socket);
        InetAddress peer = InetAddress.ofLiteral(socket.remoteAddress().hostAddress());
        if (stopping) {
            add(socket, peer, () -> {}).refuse(Replies.STOPPING);
        } else if (!clients.open()) {
            add(socket, peer, () -> {}).refuse(Replies.TOO_MANY_CONNECTIONS);
        } else {
            socket.closeHandler(_ -> clients.close());
            if (settings.isProxy(peer)) {
                new ProxyPreamble(socket, peer, client -> begin(socket, client), this::warn).await(vertx);
            } else {
                begin(socket, peer);
            }
        }
    }

    /** At most once a minute: without this, a wrong setting shows only as missing mail. */
    private void warn(InetAddress peer, String why) {
        long now = System.nanoTime();
        if (now - warnedNanos >= WARNING_PERIOD.toNanos()) {
            warnedNanos = now;
            LOG.warnf(
                    "smtp connections without a PROXY header are closed peer=%s: %s, and oneshot.smtp.proxy-networks says"
                            + " that it speaks the PROXY protocol",
                    peer.getHostAddress(), why);
        }
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
            // The server stopped between the accept and the PROXY header.
            connection.refuse(Replies.STOPPING);
        } else if (entered) {
            connection.open();
        } else {
            connection.refuse(Replies.TOO_MANY_FROM_CLIENT);
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
