package dev.oneshot.mailer.relay;

import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.mailer.compose.SmtpMail;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.jboss.logging.Logger;

/** One SMTP session as the client. For one thread at a time, except {@link #abort()}. */
final class SmtpConnection {

    private static final Logger LOG = Logger.getLogger(SmtpConnection.class);

    private final RelayConfig config;
    private final Supplier<SSLSocketFactory> tls;
    private final SmtpChannel channel = new SmtpChannel();
    private List<String> extensions = List.of();
    private int mails;
    private boolean usable;
    private boolean dataBegun;
    private boolean lastMail;
    private CompletableFuture<Void> timer = new CompletableFuture<>();

    SmtpConnection(RelayConfig config, Supplier<SSLSocketFactory> tls) {
        this.config = config;
        this.tls = tls;
    }

    /**
     * Connects, encrypts and logs in. A rejection at this point concerns this service, not a mail, so it is never
     * final.
     */
    private void open() throws IOException {
        channel.connect(InetAddress.getAllByName(config.host()), config.port(), config.connectTimeout());
        if (config.tls() == RelayConfig.TlsMode.IMPLICIT) {
            encrypt();
        }
        requirePositive(channel.reply(config.replyTimeout()), Failure.REPLY, "greeting");
        hello();
        if (config.tls() == RelayConfig.TlsMode.STARTTLS) {
            requirePositive(command("STARTTLS"), Failure.TLS, "STARTTLS");
            encrypt();
            hello();
        }
        if (config.username().isPresent()) {
            logIn(config.username().get(), config.password().orElse(""));
        }
        usable = true;
    }

    private void encrypt() throws IOException {
        channel.encrypt(tls.get(), config.host(), config.port(), config.replyTimeout());
    }

    private void hello() throws IOException {
        SmtpReply reply = command("EHLO " + config.helloName());
        if (reply.code() == 500 || reply.code() == 502) {
            // Without EHLO it has no extensions (RFC 5321 §4.1.1.1).
            requirePositive(command("HELO " + config.helloName()), Failure.REPLY, "HELO");
            extensions = List.of();
            return;
        }
        requirePositive(reply, Failure.REPLY, "EHLO");
        extensions = reply.lines().stream()
                .skip(1)
                .map(line -> line.toUpperCase(Locale.ROOT))
                .toList();
    }

    /** Whether a line of the reply to EHLO, in capitals, matches this pattern; further parameters may follow. */
    private boolean offers(String pattern) {
        return extensions.stream().anyMatch(line -> line.matches(pattern + "( .*)?"));
    }

    private void logIn(String username, String password) throws IOException {
        if (offersMechanism("PLAIN")) {
            String credentials = base64("\0" + username + "\0" + password);
            SmtpReply reply = command("AUTH PLAIN " + credentials);
            if (reply.code() == 334) {
                // Some relays ignore the initial response (RFC 4954 §4).
                reply = command(credentials);
            }
            // 504: the relay does not know the mechanism that it offers.
            if (reply.code() != 504 || !offersMechanism("LOGIN")) {
                requirePositive(reply, Failure.AUTHENTICATION, "AUTH PLAIN");
                return;
            }
        }
        if (!offersMechanism("LOGIN")) {
            throw new SmtpFailure(Failure.AUTHENTICATION, null, "the relay offers neither AUTH PLAIN nor LOGIN");
        }
        requireContinue(command("AUTH LOGIN"));
        requireContinue(command(base64(username)));
        requirePositive(command(base64(password)), Failure.AUTHENTICATION, "AUTH LOGIN");
    }

    /** Old relays offer {@code AUTH=LOGIN PLAIN}, as in drafts of RFC 2554. */
    private boolean offersMechanism(String name) {
        return offers("AUTH[ =](.* )?" + name);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    interface Step {
        void run() throws IOException;
    }

    /**
     * One mail transaction (RFC 5321 §3.3). The first opens the connection.
     *
     * @param end runs before the line with a dot, which hands the mail over; throws if it is too late for that
     */
    RelayResult send(SmtpMail mail, Step end) throws IOException {
        if (!usable) {
            open();
        }
        Optional<SmtpMail> carried = carried(mail);
        return carried.isPresent()
                ? transaction(carried.get(), end)
                : new RelayResult.Refused(Failure.UNSUPPORTED, null);
    }

    /** The mail in the form that this relay takes; empty if there is none. */
    private Optional<SmtpMail> carried(SmtpMail mail) {
        if (mail.internationalized() && !offers("SMTPUTF8")) {
            return Optional.empty();
        }
        return mail.eightBit() && !offers("8BITMIME") ? mail.sevenBit().get() : Optional.of(mail);
    }

    private RelayResult transaction(SmtpMail mail, Step end) throws IOException {
        usable = false;
        dataBegun = false;
        mails++;
        SmtpReply reply = command("MAIL FROM:<" + mail.reversePath() + ">" + parameters(mail));
        if (reply.isPositive()) {
            reply = command("RCPT TO:<" + mail.forwardPath() + ">");
        }
        boolean accepted = reply.isPositive();
        if (accepted) {
            reply = command("DATA");
        }
        if (!accepted || reply.code() != 354) {
            usable = reply.code() >= 400 && reply.code() != 421 && reset();
            return rejected(reply);
        }
        dataBegun = true;
        return channel.hasMore() ? rejected(channel.reply(config.replyTimeout())) : sendData(mail, end);
    }

    private RelayResult sendData(SmtpMail mail, Step end) throws IOException {
        DataReply pending = DataReply.begin(channel);
        DotStuffing data = new DotStuffing(channel.data());
        boolean sent = sent(() -> mail.message().writeTo(data));
        if (sent) {
            end.run();
            sent = pending.mayEnd() && sent(data::finish);
        }
        SmtpReply reply = pending.await();
        usable = sent && reply.code() != 421;
        // A relay that rejected the data in the middle may reply again at the end. The next mail would take that
        // reply for its own.
        lastMail = !reply.isPositive();
        return sent && reply.isPositive() ? new RelayResult.Relayed(reply.codes()) : rejected(reply);
    }

    /** Runs a step of writing. False if the connection has ended; the relay may have replied before. */
    private static boolean sent(Step writing) {
        try {
            writing.run();
            return true;
        } catch (IOException e) {
            LOG.debugf("relay connection ended in the data: %s", e.getMessage());
            return false;
        }
    }

    private static RelayResult rejected(SmtpReply reply) throws SmtpFailure {
        if (reply.code() < 400) {
            throw new SmtpFailure(Failure.CONNECTION, reply, "an unexpected reply");
        }
        return switch (reply.code()) {
            // These codes ask for other credentials or encryption, which the operator must set (RFC 4954 §6).
            case 530, 534, 535, 538 -> new RelayResult.Failed(Failure.AUTHENTICATION, reply.codes());
            default ->
                reply.code() >= 500
                        ? new RelayResult.Refused(Failure.REPLY, reply.codes())
                        : new RelayResult.Failed(Failure.REPLY, reply.codes());
        };
    }

    /** Aborts the mail transaction. If that fails, the relay's reply to the mail still holds: many relays close after a 5xx. */
    private boolean reset() {
        try {
            return command("RSET").isPositive();
        } catch (IOException e) {
            LOG.debugf("relay connection was gone before RSET: %s", e.getMessage());
            return false;
        }
    }

    private String parameters(SmtpMail mail) throws IOException {
        boolean eightBit = mail.internationalized() || mail.eightBit();
        String parameters = eightBit && offers("8BITMIME") ? " BODY=8BITMIME" : "";
        parameters += mail.internationalized() ? " SMTPUTF8" : "";
        if (offers("SIZE")) {
            DataOutputStream counting = new DataOutputStream(OutputStream.nullOutputStream());
            mail.message().writeTo(counting);
            // The end of the data may add a line end.
            parameters += " SIZE=" + (counting.size() + 2);
        }
        return parameters;
    }

    private SmtpReply command(String line) throws IOException {
        return channel.command(line, config.replyTimeout());
    }

    private static void requirePositive(SmtpReply reply, Failure failure, String command) throws SmtpFailure {
        if (!reply.isPositive()) {
            throw new SmtpFailure(failure, reply, "the relay replied " + reply.code() + " to " + command);
        }
    }

    private static void requireContinue(SmtpReply reply) throws SmtpFailure {
        if (reply.code() != 334) {
            throw new SmtpFailure(Failure.AUTHENTICATION, reply, "the relay replied " + reply.code() + " to AUTH");
        }
    }

    /** Whether another mail may be sent on this connection. */
    boolean isReusable() {
        return usable && !lastMail && mails < config.mailsPerConnection();
    }

    /** Whether the last transaction reached its data. */
    boolean isDataBegun() {
        return dataBegun;
    }

    /**
     * Runs an action after this time, unless this is called again or the connection is closed before. The action must not block.
     *
     * @return false if the time of the last call was already over
     */
    boolean limit(Duration time, Runnable action) {
        boolean inTime = timer.complete(null);
        timer = new CompletableFuture<Void>().orTimeout(time.toMillis(), TimeUnit.MILLISECONDS);
        var _ = timer.exceptionally(_ -> {
            action.run();
            return null;
        });
        return inTime;
    }

    /** Whether the time of the last limit is over. */
    boolean isLate() {
        return timer.isCompletedExceptionally();
    }

    /** Closes the connection. If the relay waits for a command, sends QUIT before, without waiting for the reply. */
    void close() {
        try {
            if (usable) {
                channel.data().write("QUIT\r\n".getBytes(StandardCharsets.US_ASCII));
                channel.data().flush();
            }
        } catch (IOException e) {
            LOG.debugf("relay connection was gone before QUIT: %s", e.getMessage());
        } finally {
            timer.complete(null);
            abort();
        }
    }

    void abort() {
        channel.abort();
    }
}
