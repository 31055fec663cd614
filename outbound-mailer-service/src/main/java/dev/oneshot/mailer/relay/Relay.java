package dev.oneshot.mailer.relay;

import static dev.oneshot.contracts.setting.ValidSetting.atLeast;
import static dev.oneshot.contracts.setting.ValidSetting.between;
import static dev.oneshot.contracts.setting.ValidSetting.require;

import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Reply;
import dev.oneshot.mailer.compose.SmtpMail;
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
 * Sends mails to the relay, and keeps connections for the next mail, as many as threads send at once.
 *
 * <p>Safe for use by many threads.
 */
@Singleton
public final class Relay {

    private static final Logger LOG = Logger.getLogger(Relay.class);

    private final RelayConfig config;
    private final Supplier<SSLSocketFactory> tls;
    private final Set<SmtpConnection> busy = ConcurrentHashMap.newKeySet();
    private final Deque<SmtpConnection> idle = new ConcurrentLinkedDeque<>();
    // No deadline needs to run after a stop: sockets close with the process.
    private final ScheduledThreadPoolExecutor deadlines = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("relay-deadlines").factory(), new ThreadPoolExecutor.DiscardPolicy());
    private volatile boolean closed;

    /** @throws IllegalArgumentException naming the setting, if one is invalid */
    public Relay(RelayConfig config) {
        check(config);
        this.config = config;
        this.tls = RelayTrust.socketFactory(config);
        // Without this, the deadline of each mail would keep its connection in memory.
        deadlines.setRemoveOnCancelPolicy(true);
        long sweepMillis = config.idleTimeout().toMillis() + 1;
        ScheduledFuture<?> _ =
                deadlines.scheduleWithFixedDelay(this::sweep, sweepMillis, sweepMillis, TimeUnit.MILLISECONDS);
    }

    /** Checks what types cannot express. */
    private static void check(RelayConfig config) {
        between("oneshot.relay.port", config.port(), 1, 65_535);
        atLeast("oneshot.relay.mails-per-connection", config.mailsPerConnection(), 1);
        require(!config.host().isBlank(), "oneshot.relay.host must not be empty");
        require(
                config.helloName().matches("[A-Za-z0-9.\\-\\[\\]:]{1,255}"),
                "oneshot.relay.hello-name must be a domain name or an address literal");
        require(
                config.username().isPresent() == config.password().isPresent(),
                "oneshot.relay.username and oneshot.relay.password must be set together");
        require(
                config.username().isEmpty() || config.tls() != RelayConfig.TlsMode.NONE,
                "oneshot.relay.username needs oneshot.relay.tls to be starttls or implicit");
        require(
                config.connectTimeout().isPositive()
                        && config.replyTimeout().isPositive()
                        && config.dataReplyTimeout().isPositive(),
                "oneshot.relay.connect-timeout, reply-timeout and data-reply-timeout must be positive");
        require(
                config.attemptTimeout().isPositive() && config.attemptTimeout().toDays() < 1,
                "oneshot.relay.attempt-timeout must be positive and less than a day");
    }

    /**
     * Makes one attempt. Blocks at most for the attempt timeout and the data reply timeout. Never throws.
     *
     * @param mayEndData whether the end of the data (RFC 5321 §4.1.1.4) may be sent; the relay cannot have the mail
     *     before
     */
    public RelayResult send(SmtpMail mail, BooleanSupplier mayEndData) {
        SmtpConnection kept = idle.pollLast();
        if (kept != null) {
            Attempt attempt = new Attempt(kept, mayEndData);
            RelayResult result = attempt.run(mail);
            if (!attempt.connectionHadEnded(result)) {
                return result;
            }
        }
        return new Attempt(new SmtpConnection(config, tls), mayEndData).run(mail);
    }

    /** Closes idle connections: the last used is reused first, so others may stay unused. */
    private void sweep() {
        long now = System.nanoTime();
        for (SmtpConnection connection : List.copyOf(idle)) {
            if (connection.isStale(now) && idle.remove(connection)) {
                connection.close();
            }
        }
    }

    /** Closes all connections. Current attempts fail, also those that have not connected yet. */
    @PreDestroy
    public void close() {
        closed = true;
        deadlines.shutdownNow();
        busy.forEach(SmtpConnection::abort);
        for (SmtpConnection connection; (connection = idle.poll()) != null; ) {
            connection.close();
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
            if (closed || !deadline.cancel(false) || !mayEndData.getAsBoolean()) {
                throw new SocketTimeoutException("the attempt timed out");
            }
            deadline = deadline(config.dataReplyTimeout());
        }

        RelayResult run(SmtpMail mail) {
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
                return failed(e.result().failure(), e.result().reply());
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
                    connection.markIdle(System.nanoTime());
                    idle.addLast(connection);
                } else {
                    connection.close();
                }
            }
        }

        private RelayResult failed(Failure failure, @Nullable Reply reply) {
            return new RelayResult.Failed(late.get() ? Failure.TIMEOUT : failure, reply);
        }

        /** Whether the relay closed a kept connection before this mail began; the mail is then tried on another. */
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
