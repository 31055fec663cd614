package dev.oneshot.ingest.transport;

import dev.oneshot.ingest.smtp.Ending;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/** The server of one event loop. All of them share the port. */
final class SmtpListener extends AbstractVerticle {

    private static final Logger LOG = Logger.getLogger(SmtpListener.class);
    private static final long TICK_MILLIS = 1000;
    private static final Duration WARNING_PERIOD = Duration.ofMinutes(1);

    private final NetServerOptions options;
    private final Connections factory;
    private final ConnectionCounts counts;
    private final ProxyNetworks proxies;
    private final Consumer<NetServer> listening;
    private final Set<SmtpConnection> connections = new HashSet<>();
    private boolean stopping;
    private long warnedNanos = System.nanoTime() - WARNING_PERIOD.toNanos();

    /**
     * Not listening yet.
     *
     * @param listening told of the server once it listens
     */
    SmtpListener(
            NetServerOptions options,
            Connections factory,
            ConnectionCounts counts,
            ProxyNetworks proxies,
            Consumer<NetServer> listening) {
        this.options = options;
        this.factory = factory;
        this.counts = counts;
        this.proxies = proxies;
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

    private void enforceDeadlines(long nowNanos) {
        for (SmtpConnection connection : Set.copyOf(connections)) {
            connection.enforceDeadlines(nowNanos);
        }
    }

    /** Does at once what is due by then. */
    void advanceTo(long nowNanos) {
        context.runOnContext(_ -> enforceDeadlines(nowNanos));
    }

    private void accept(NetSocket socket) {
        // A reset connection closes as well, and that is all there is to know about it.
        socket.exceptionHandler(_ -> socket.close());
        SmtpSocket.readLittle(socket);
        InetAddress peer = InetAddress.ofLiteral(socket.remoteAddress().hostAddress());
        if (stopping) {
            refuse(socket, peer, Ending.STOPPING);
        } else if (!counts.enter()) {
            refuse(socket, peer, Ending.TOO_MANY_CONNECTIONS);
        } else {
            socket.closeHandler(_ -> counts.leave());
            if (proxies.contain(peer)) {
                new ProxyPreamble(socket, peer, (client, rest) -> begin(socket, client, rest), this::warn).await(vertx);
            } else {
                begin(socket, peer, Buffer.buffer());
            }
        }
    }

    /** Once in a while, as all mail comes this way: without a word, mail that never arrives is all there is to be seen. */
    private void warn(InetAddress peer, String why) {
        long now = System.nanoTime();
        if (now - warnedNanos >= WARNING_PERIOD.toNanos()) {
            warnedNanos = now;
            LOG.warnf(
                    "smtp connections are closed for want of a PROXY header peer=%s: %s, and oneshot.smtp.proxy-networks says"
                            + " that it speaks the PROXY protocol",
                    peer.getHostAddress(), why);
        }
    }

    private void refuse(NetSocket socket, InetAddress client, Ending reason) {
        SmtpConnection connection = factory.connection(socket, context, client);
        connections.add(connection);
        socket.closeHandler(_ -> {
            connections.remove(connection);
            connection.gone();
        });
        connection.refuse(reason);
    }

    private void begin(NetSocket socket, InetAddress client, Buffer received) {
        SmtpConnection connection = factory.connection(socket, context, client);
        boolean entered = counts.enter(client);
        connections.add(connection);
        socket.closeHandler(_ -> {
            connections.remove(connection);
            connection.gone();
            counts.leave();
            if (entered) {
                counts.leave(client);
            }
        });
        if (stopping) {
            // Since the connection was accepted, while its header was on its way.
            connection.refuse(Ending.STOPPING);
        } else if (entered) {
            connection.open(received);
        } else {
            connection.refuse(Ending.TOO_MANY_FROM_CLIENT);
        }
    }
}
