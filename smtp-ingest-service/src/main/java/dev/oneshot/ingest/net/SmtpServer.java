package dev.oneshot.ingest.net;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServerOptions;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/** Listens for SMTP on several event loops. A stop waits for messages in progress. */
@Singleton
public final class SmtpServer {

    private static final Logger LOG = Logger.getLogger(SmtpServer.class);
    private static final Duration LISTEN_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LAST_REPLIES = Duration.ofMillis(200);
    private static final Duration STOP_POLL = Duration.ofMillis(20);
    private static final int ACCEPT_BACKLOG = 1024;
    // With this number, Vert.x gives all instances of a deployment the same free port.
    private static final int ANY_SHARED_PORT = -1;

    private final Vertx vertx;
    private final SmtpConfig config;
    private final Connections connections;
    private final ClientNetworks clients;
    private final SmtpTls tls;
    private final List<SmtpListener> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean accepting;

    SmtpServer(Vertx vertx, SmtpConfig config, Connections connections, ClientNetworks clients, SmtpTls tls) {
        this.vertx = vertx;
        this.config = config;
        this.connections = connections;
        this.clients = clients;
        this.tls = tls;
    }

    /** Whether new connections are served. */
    public boolean isAccepting() {
        return accepting;
    }

    /** The port it listens on; 0 before the start. */
    public int port() {
        return listeners.isEmpty() ? 0 : listeners.getFirst().port();
    }

    void start(@Observes StartupEvent event) throws InterruptedException {
        NetServerOptions options = new NetServerOptions()
                .setHost(config.host())
                .setPort(config.port() == 0 ? ANY_SHARED_PORT : config.port())
                .setTcpNoDelay(true)
                .setReuseAddress(true)
                .setAcceptBacklog(ACCEPT_BACKLOG);
        int eventLoops = Runtime.getRuntime().availableProcessors();
        try {
            vertx.deployVerticle(() -> listener(options), new DeploymentOptions().setInstances(eventLoops))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(LISTEN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
            // Without the cause, which Quarkus would report as a taken HTTP port.
            throw new ConfigurationException("cannot listen on oneshot.smtp.host=%s oneshot.smtp.port=%d: %s"
                    .formatted(config.host(), config.port(), cause));
        }
        accepting = true;
        LOG.infof(
                "smtp listening host=%s port=%d eventLoops=%d starttls=%s",
                config.host(), port(), eventLoops, tls.isOffered());
    }

    private SmtpListener listener(NetServerOptions options) {
        SmtpListener listener = new SmtpListener(options, connections, clients);
        listeners.add(listener);
        return listener;
    }

    /** Runs before the producer closes, which messages in progress need. */
    void stop(@Observes @Priority(1000) ShutdownEvent event) throws InterruptedException {
        accepting = false;
        listeners.forEach(SmtpListener::stopGently);
        awaitNoConnections(config.stopTimeout());
        if (clients.connections() > 0) {
            LOG.infof("smtp sessions broken off connections=%d", clients.connections());
            listeners.forEach(SmtpListener::stopNow);
            awaitNoConnections(LAST_REPLIES);
        }
        LOG.info("smtp stopped");
    }

    private void awaitNoConnections(Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        while (clients.connections() > 0 && System.nanoTime() - until < 0) {
            Thread.sleep(STOP_POLL);
        }
    }
}
