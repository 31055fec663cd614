package dev.oneshot.mailer.letter;

import dev.oneshot.contracts.event.LetterRequested;
import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Reply;
import dev.oneshot.mailer.compose.MimeComposer;
import dev.oneshot.mailer.relay.RelayResult;
import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;
import io.quarkus.qute.Variant;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.mail.MailClient;
import io.vertx.ext.mail.MailMessage;
import io.vertx.ext.mail.SMTPException;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Sends letters. Safe for use by many threads. */
@Singleton
public class Letters {

    private static final Logger LOG = Logger.getLogger(Letters.class);

    private final MailClient client;
    private final Executor eventLoop;
    private final Duration timeout;

    /** @param timeout how long the client may take; it may report no result at all when a connection breaks */
    Letters(MailClient client, Vertx vertx, @ConfigProperty(name = "quarkus.mailer.timeout") Duration timeout) {
        this.client = client;
        // The client opens a connection on the event loop of its pool's current thread. It loses the relay's greeting
        // if the caller has another event loop. So all calls use one context.
        Context context = vertx.getOrCreateContext();
        this.eventLoop = task -> context.runOnContext(_ -> task.run());
        this.timeout = timeout;
    }

    @CheckedTemplate
    static class Templates {

        static native TemplateInstance allocationNearlyUsed(LetterRequested letter);

        static native TemplateInstance allocationUsed(LetterRequested letter);

        static native TemplateInstance keyReplaced(LetterRequested letter, Instant at);

        static native TemplateInstance creditsAdded(LetterRequested letter);
    }

    /**
     * Makes one attempt. Blocks for {@code quarkus.mailer.timeout} at most; a letter without a result by then may
     * still be sent. Never throws.
     *
     * @return {@link RelayResult.Refused} if the relay rejects the mailbox, or if the client cannot send to it: a
     *     quoted or non-ASCII local part
     */
    public RelayResult send(LetterRequested letter) {
        try {
            String to = MimeComposer.withALabels(letter.to());
            if (to.startsWith("\"") || !StandardCharsets.US_ASCII.newEncoder().canEncode(to)) {
                return new RelayResult.Refused(Failure.UNSUPPORTED, null);
            }
            String domain = letter.from().substring(letter.from().lastIndexOf('@'));
            // Not Quarkus's Mailer, which adds an empty Cc (RFC 5322 §3.6.3 has at least one address).
            MailMessage mail = new MailMessage(letter.from(), to, subject(letter), text(letter, "text/plain"))
                    .setHtml(text(letter, "text/html"))
                    // The same Message-ID for each attempt, so that mail programs recognize a duplicate.
                    .addHeader("Message-ID", "<" + letter.letterId() + domain + ">")
                    .addHeader("Auto-Submitted", "auto-generated");
            var _ = Uni.createFrom()
                    .completionStage(() -> client.sendMail(mail).toCompletionStage())
                    .runSubscriptionOn(eventLoop)
                    .await()
                    .atMost(timeout);
            return new RelayResult.Relayed(new Reply(250, null));
        } catch (TimeoutException e) {
            return new RelayResult.Failed(Failure.TIMEOUT, null);
        } catch (RuntimeException e) {
            LOG.debugf(e, "letter not sent letterId=%s", letter.letterId());
            Throwable cause = e instanceof CompletionException ? e.getCause() : e;
            return failed(cause instanceof SMTPException reply ? reply.getReplyCode() : 0);
        }
    }

    /** Other 5xx replies may be about this service, and are retried. */
    private static RelayResult failed(int code) {
        return switch (code) {
            case 550, 551, 552, 553 -> new RelayResult.Refused(Failure.REPLY, new Reply(code, null));
            default ->
                code >= 200 && code <= 599
                        ? new RelayResult.Failed(Failure.REPLY, new Reply(code, null))
                        : new RelayResult.Failed(Failure.CONNECTION, null);
        };
    }

    private static String subject(LetterRequested letter) {
        return switch (letter.kind()) {
            case ALLOCATION_NEARLY_USED -> "80 % of your addresses are used";
            case ALLOCATION_USED -> "All of your addresses are used";
            case KEY_REPLACED -> "Your API key was replaced";
            case CREDITS_ADDED -> "Receipt for your credits";
        };
    }

    /** @param type of the template, by the suffix of its file */
    private static String text(LetterRequested letter, String type) {
        TemplateInstance template = switch (letter.kind()) {
            case ALLOCATION_NEARLY_USED -> Templates.allocationNearlyUsed(letter);
            case ALLOCATION_USED -> Templates.allocationUsed(letter);
            case KEY_REPLACED ->
                Templates.keyReplaced(letter, letter.requestedAt().truncatedTo(ChronoUnit.SECONDS));
            case CREDITS_ADDED -> Templates.creditsAdded(letter);
        };
        return template.setAttribute(TemplateInstance.SELECTED_VARIANT, Variant.forContentType(type))
                .render();
    }
}
