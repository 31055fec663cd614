package dev.oneshot.mailer.relay;

import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.mailer.compose.ComposedMail;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The relay, over connections that are kept for the next mail. There are as many as threads send at once.
 *
 * <p>Safe for use by many threads.
 */
@Singleton
public class Relay {

    static final Logger LOG = Logger.getLogger(Relay.class);

    private final RelayConfig config;
    private final Supplier<SSLSocketFactory> tls;
    private final Set<SmtpConnection> busy = ConcurrentHashMap.newKeySet();
    private final Deque<SmtpConnection> idle = new ConcurrentLinkedDeque<>();
    // Once we stop nothing more is to be ended: the sockets go with the process.
    private final ScheduledThreadPoolExecutor deadlines = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("relay-deadlines").factory(), new ThreadPoolExecutor.DiscardPolicy());
    private final AtomicBoolean sweeping = new AtomicBoolean();

    public Relay(RelayConfig config) {
        RelayChecks.check(config);
        this.config = config;
        this.tls = RelayTrust.socketFactory(config);
        // Else each mail's deadline would hold its connection in memory until it passes.
        deadlines.setRemoveOnCancelPolicy(true);
    }

    /**
     * Tries once. Blocks at most for the attempt timeout and the time that the relay has to reply to the data. Never throws.
     *
     * @param mayEndData whether the end of the data (RFC 5321 §4.1.1.4) may be sent; before it the relay cannot have the mail
     */
    public RelayResult send(ComposedMail mail, BooleanSupplier mayEndData) {
        SmtpConnection kept = takeIdle();
        if (kept != null) {
            Attempt attempt = new Attempt(kept, mayEndData);
            RelayResult result = attempt.run(mail);
            if (!attempt.connectionHadEnded(result)) {
                return result;
            }
        }
        return new Attempt(new SmtpConnection(config, tls), mayEndData).run(mail);
    }

    private @Nullable SmtpConnection takeIdle() {
        SmtpConnection connection;
        while ((connection = idle.pollLast()) != null) {
            if (!connection.isStale(System.nanoTime())) {
                return connection;
            }
            connection.quit();
        }
        return null;
    }

    private void keep(SmtpConnection connection) {
        connection.markIdle(System.nanoTime());
        idle.addLast(connection);
        sweepLater();
    }

    /** The one that was used last is used next, so that others may never be asked for again. */
    private void sweepLater() {
        if (sweeping.compareAndSet(false, true)) {
            ScheduledFuture<?> _ =
                    deadlines.schedule(this::sweep, config.idleTimeout().toMillis() + 1, TimeUnit.MILLISECONDS);
        }
    }

    private void sweep() {
        sweeping.set(false);
        long now = System.nanoTime();
        for (SmtpConnection connection : List.copyOf(idle)) {
            if (connection.isStale(now) && idle.remove(connection)) {
                connection.quit();
            }
        }
        if (!idle.isEmpty()) {
            sweepLater();
        }
    }

    /** Closes all connections; attempts that are under way fail. */
    @PreDestroy
    public void close() {
        deadlines.shutdownNow();
        busy.forEach(SmtpConnection::abort);
        for (SmtpConnection connection; (connection = idle.poll()) != null; ) {
            connection.quit();
        }
    }

    private final class Attempt {

        private final SmtpConnection connection;
        private final BooleanSupplier mayEndData;
        private final boolean reused;
        private final AtomicBoolean late = new AtomicBoolean();
        private ScheduledFuture<?> deadline;

        Attempt(SmtpConnection connection, BooleanSupplier mayEndData) {
            this.connection = connection;
            this.reused = connection.wasUsed();
            this.mayEndData = mayEndData;
            this.deadline = deadline(config.attemptTimeout());
        }

        private ScheduledFuture<?> deadline(Duration timeout) {
            return deadlines.schedule(
                    () -> {
                        late.set(true);
                        connection.abort();
                    },
                    timeout.toMillis(),
                    TimeUnit.MILLISECONDS);
        }

        private void requireTimeForEnd() throws SocketTimeoutException {
            if (!deadline.cancel(false) || !mayEndData.getAsBoolean()) {
                throw new SocketTimeoutException("the attempt took too long");
            }
            deadline = deadline(config.dataReplyTimeout());
        }

        RelayResult run(ComposedMail mail) {
            boolean reusable = false;
            busy.add(connection);
            try {
                if (!reused) {
                    connection.open();
                }
                RelayResult result = connection.send(mail, this::requireTimeForEnd);
                reusable = connection.isReusable() && deadline.cancel(false);
                return result;
            } catch (SmtpFailure e) {
                LOG.debugf("relay attempt failed: %s", e.getMessage());
                SmtpReply reply = e.reply();
                return failed(e.failure(), reply);
            } catch (SocketTimeoutException e) {
                return failed(Failure.TIMEOUT, null);
            } catch (SSLException e) {
                LOG.warnf("relay TLS failed host=%s: %s", config.host(), e.getMessage());
                return failed(Failure.TLS, null);
            } catch (IOException e) {
                LOG.debugf("relay connection failed: %s", e.getMessage());
                return failed(Failure.CONNECTION, null);
            } finally {
                deadline.cancel(false);
                busy.remove(connection);
                if (reusable) {
                    keep(connection);
                } else if (connection.isUsable()) {
                    connection.quit();
                } else {
                    connection.abort();
                }
            }
        }

        private RelayResult failed(Failure failure, @Nullable SmtpReply reply) {
            return new RelayResult.Failed(late.get() ? Failure.TIMEOUT : failure, reply == null ? null : reply.codes());
        }

        /** A kept connection that the relay has closed meanwhile says nothing about the mail, if that had not begun. */
        boolean connectionHadEnded(RelayResult result) {
            return reused
                    && !connection.isDataBegun()
                    && result instanceof RelayResult.Failed failed
                    && !late.get()
                    && (failed.failure() == Failure.CONNECTION
                            || (failed.reply() != null && failed.reply().code() == 421));
        }
    }
}
