package dev.oneshot.mailer.relay;

import static dev.oneshot.contracts.setting.ValidSetting.atLeast;
import static dev.oneshot.contracts.setting.ValidSetting.between;
import static dev.oneshot.contracts.setting.ValidSetting.made;
import static dev.oneshot.contracts.setting.ValidSetting.require;

import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Reply;
import dev.oneshot.mailer.compose.SmtpMail;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
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

    private static final AttributeKey<String> HOST = AttributeKey.stringKey("server.address");
    private static final AttributeKey<Long> PORT = AttributeKey.longKey("server.port");
    private static final AttributeKey<Long> REPLY_CODE = AttributeKey.longKey("smtp.reply_code");
    private static final AttributeKey<String> FAILURE = AttributeKey.stringKey("error.type");

    private final RelayConfig config;
    private final Tracer tracer;
    private final Supplier<SSLSocketFactory> tls;
    private final Set<SmtpConnection> busy = ConcurrentHashMap.newKeySet();
    private final Deque<SmtpConnection> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    /** @throws io.quarkus.runtime.configuration.ConfigurationException naming the setting, if one is invalid */
    public Relay(RelayConfig config, Tracer tracer) {
        check(config);
        this.config = config;
        this.tracer = tracer;
        this.tls = made("oneshot.relay.trust-file", () -> socketFactory(config));
    }

    /** @throws IllegalArgumentException if the trust file has no certificates */
    private static Supplier<SSLSocketFactory> socketFactory(RelayConfig config) {
        if (config.trustFile().isEmpty()) {
            // Lazily, as reading the default trust store takes a tenth of the start.
            return () -> (SSLSocketFactory) SSLSocketFactory.getDefault();
        }
        try {
            var pem = (JdkSslContext) SslContextBuilder.forClient()
                    .sslProvider(SslProvider.JDK)
                    .trustManager(config.trustFile().get().toFile())
                    .build();
            return pem.context()::getSocketFactory;
        } catch (SSLException e) {
            throw new IllegalArgumentException(e);
        }
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
        atLeast("oneshot.relay.connect-timeout", config.connectTimeout(), Duration.ofMillis(1));
        atLeast("oneshot.relay.reply-timeout", config.replyTimeout(), Duration.ofMillis(1));
        atLeast("oneshot.relay.data-reply-timeout", config.dataReplyTimeout(), Duration.ofMillis(1));
        between("oneshot.relay.attempt-timeout", config.attemptTimeout(), Duration.ofMillis(1), Duration.ofDays(1));
    }

    /**
     * Makes one attempt, and a second one if a kept connection had ended. Blocks at most for the attempt timeout of each and one data
     * reply timeout. Never throws.
     *
     * @param mayEndData whether the end of the data (RFC 5321 §4.1.1.4) may be sent; the relay cannot have the mail
     *     before
     */
    public RelayResult send(SmtpMail mail, BooleanSupplier mayEndData) {
        Span span = tracer.spanBuilder("SMTP DATA")
                .setSpanKind(SpanKind.CLIENT)
                .startSpan()
                .setAttribute(HOST, config.host())
                .setAttribute(PORT, (long) config.port());
        RelayResult result = attempt(mail, mayEndData);
        end(span, result);
        return result;
    }

    /** The text of a reply may name the recipient, so the span has its code only. */
    private static void end(Span span, RelayResult result) {
        Reply reply = switch (result) {
            case RelayResult.Relayed relayed -> relayed.reply();
            case RelayResult.Refused refused -> failed(span, refused.failure(), refused.reply());
            case RelayResult.Failed failed -> failed(span, failed.failure(), failed.reply());
        };
        if (reply != null) {
            span.setAttribute(REPLY_CODE, (long) reply.code());
        }
        span.end();
    }

    private static @Nullable Reply failed(Span span, Failure failure, @Nullable Reply reply) {
        span.setStatus(StatusCode.ERROR).setAttribute(FAILURE, failure.name());
        return reply;
    }

    private RelayResult attempt(SmtpMail mail, BooleanSupplier mayEndData) {
        SmtpConnection kept = idle.pollLast();
        if (kept != null) {
            RelayResult result = attempt(mail, mayEndData, kept);
            if (!hadEnded(kept, result)) {
                return result;
            }
        }
        return attempt(mail, mayEndData, new SmtpConnection(config, tls));
    }

    private RelayResult attempt(SmtpMail mail, BooleanSupplier mayEndData, SmtpConnection connection) {
        busy.add(connection);
        connection.limit(config.attemptTimeout(), connection::abort);
        try {
            return connection.send(mail, () -> requireTimeForEnd(connection, mayEndData));
        } catch (SmtpFailure e) {
            LOG.debugf("relay attempt failed: %s", e.getMessage());
            return failed(connection, e.result().failure(), e.result().reply());
        } catch (SocketTimeoutException e) {
            return failed(connection, Failure.TIMEOUT, null);
        } catch (SSLException e) {
            LOG.warnf("relay TLS failed host=%s: %s", config.host(), e.getMessage());
            return failed(connection, Failure.TLS, null);
        } catch (IOException e) {
            LOG.debugf("relay connection failed: %s", e.getMessage());
            return failed(connection, Failure.CONNECTION, null);
        } finally {
            busy.remove(connection);
            if (connection.isReusable() && connection.limit(config.idleTimeout(), () -> closeIfIdle(connection))) {
                // The last used connection is reused first, so others become idle and are closed.
                idle.addLast(connection);
                if (connection.isLate()) {
                    closeIfIdle(connection);
                }
            } else {
                connection.close();
            }
        }
    }

    private void requireTimeForEnd(SmtpConnection connection, BooleanSupplier mayEndData)
            throws SocketTimeoutException {
        boolean inTime = connection.limit(config.dataReplyTimeout(), connection::abort);
        if (closed || !inTime || !mayEndData.getAsBoolean()) {
            throw new SocketTimeoutException("the attempt timed out");
        }
    }

    private static RelayResult failed(SmtpConnection connection, Failure failure, @Nullable Reply reply) {
        return new RelayResult.Failed(connection.isLate() ? Failure.TIMEOUT : failure, reply);
    }

    /** Whether the relay closed a kept connection before this mail began; the mail is then tried on another. */
    private static boolean hadEnded(SmtpConnection kept, RelayResult result) {
        return !kept.isDataBegun()
                && !kept.isLate()
                && result instanceof RelayResult.Failed failed
                && (failed.failure() == Failure.CONNECTION
                        || (failed.reply() != null && failed.reply().code() == 421));
    }

    private void closeIfIdle(SmtpConnection connection) {
        if (idle.remove(connection)) {
            // QUIT may block, and all timers of the JVM share a thread.
            Thread.startVirtualThread(connection::close);
        }
    }

    /** Closes all connections. Current attempts fail, also those that have not connected yet. */
    @PreDestroy
    public void close() {
        closed = true;
        busy.forEach(SmtpConnection::abort);
        for (SmtpConnection connection; (connection = idle.poll()) != null; ) {
            connection.close();
        }
    }
}
