package dev.oneshot.ingest.delivery;

import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.InboundEvent;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.contracts.setting.ValidSetting;
import dev.oneshot.ingest.smtp.Origin;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailDelivery;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reads the structure of a message and sends a record for each recipient to {@code mail.inbound}. The message is
 * stored when all in-sync replicas have acknowledged all records. If one record fails, others may still be stored;
 * the sender retries, and the database stores only the first mail of an address. Each transaction starts a trace.
 */
@Singleton
final class KafkaMailDelivery implements MailDelivery {

    private static final Logger LOG = Logger.getLogger(KafkaMailDelivery.class);

    // The producer's memory that large records leave free. A larger message would also block an event loop for too
    // long.
    private static final long INLINE_BYTES_MAX = 16 * 1024 * 1024;
    private static final Executor LARGE_MESSAGES =
            command -> Thread.ofVirtual().name("large-message").start(command);

    private static final AttributeKey<String> CLIENT = AttributeKey.stringKey("client.address");
    private static final AttributeKey<String> TRANSACTION = AttributeKey.stringKey("oneshot.transaction");
    private static final AttributeKey<Long> BYTES = AttributeKey.longKey("oneshot.bytes");
    private static final AttributeKey<Long> RECIPIENTS = AttributeKey.longKey("oneshot.recipients");
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("oneshot.outcome");

    private final InboundProducer producer;
    private final Tracer tracer;
    private final SmtpPolicy policy;
    private final long inlineBytesMax;

    KafkaMailDelivery(InboundProducer producer, DeliveryConfig config, SmtpPolicy policy, Tracer tracer) {
        this.producer = producer;
        this.policy = policy;
        this.tracer = tracer;
        this.inlineBytesMax = ValidSetting.between(
                "oneshot.delivery.inline-bytes-max", config.inlineBytesMax().asLongValue(), 0L, INLINE_BYTES_MAX);
    }

    @Override
    public Incoming begin(Origin origin, ReversePath reversePath) {
        Span span = started(origin);
        return (transaction, onOutcome) -> {
            var _ = deliver(transaction, span).thenAccept(onOutcome);
        };
    }

    /** Stores a message; never completes exceptionally. */
    private CompletionStage<DeliveryOutcome> deliver(MailTransaction transaction, Span span) {
        Context trace = span.storeInContext(Context.root());
        int length = transaction.octets().length();
        int recipients = transaction.envelope().recipients().size();
        CompletionStage<DeliveryOutcome> outcome = (long) length * recipients <= inlineBytesMax
                ? CompletableFuture.completedFuture(transaction).thenCompose(small -> sendSmall(small, trace))
                : CompletableFuture.completedFuture(transaction)
                        .thenComposeAsync(large -> sendLarge(large, trace), LARGE_MESSAGES);
        return outcome.handle((settled, failure) -> {
            try (Scope _ = trace.makeCurrent()) {
                end(span, transaction, failure == null ? settled : DeliveryOutcome.UNAVAILABLE);
                if (failure != null) {
                    LOG.errorf(failure, "mail not stored transaction=%s", transaction.id());
                    return DeliveryOutcome.UNAVAILABLE;
                }
                LOG.debugf(
                        "mail settled transaction=%s outcome=%s bytes=%d recipients=%d",
                        transaction.id(), settled, length, recipients);
                if (settled == DeliveryOutcome.STORED) {
                    logReceived(transaction);
                }
                return settled;
            }
        });
    }

    /** A span from DATA to the reply, which starts the trace of the mail. It names no sender and no recipient. */
    private Span started(Origin origin) {
        return tracer.spanBuilder("SMTP DATA")
                .setNoParent()
                .setSpanKind(SpanKind.SERVER)
                .startSpan()
                .setAttribute(CLIENT, origin.client().address().getHostAddress());
    }

    private static void end(Span span, MailTransaction transaction, DeliveryOutcome outcome) {
        span.setAttribute(TRANSACTION, transaction.id())
                .setAttribute(BYTES, (long) transaction.octets().length())
                .setAttribute(
                        RECIPIENTS, (long) transaction.envelope().recipients().size())
                .setAttribute(OUTCOME, outcome.name());
        if (outcome != DeliveryOutcome.STORED) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }

    /** Logs who delivered a mail, one line a mail: complaints may arrive when the mail is gone. */
    private static void logReceived(MailTransaction transaction) {
        Origin origin = transaction.origin();
        String senderDomain = switch (transaction.envelope().reversePath()) {
            case ReversePath.Null _ -> "<>";
            case ReversePath.Local _ -> "none";
            case ReversePath.Sender sender -> sender.mailbox().domain();
        };
        String tls = origin.tls() == null ? "none" : origin.tls().protocol();
        for (Recipient recipient : transaction.envelope().recipients()) {
            LOG.infof(
                    "mail received addressId=%s client=%s senderDomain=%s bytes=%d tls=%s transaction=%s %s",
                    recipient.addressId(),
                    origin.client().address().getHostAddress(),
                    senderDomain,
                    transaction.octets().length(),
                    tls,
                    transaction.id(),
                    transaction.verdicts());
        }
    }

    @Override
    public boolean isReady() {
        return producer.isReady();
    }

    private CompletionStage<DeliveryOutcome> sendSmall(MailTransaction transaction, Context trace) {
        Octets raw = Octets.of(
                transaction.octets().contiguous(), 0, transaction.octets().length());
        CompleteMessage message = CompleteMessage.of(transaction, raw);
        if (message.refusal().isPresent()) {
            return CompletableFuture.completedFuture(message.refusal().get());
        }
        Octets carried = message.carried(raw);
        return each(
                transaction,
                recipient -> message.event(recipient, policy, carried)
                        .map(event -> producer.send(key(event), EventCodec.encode(event), trace))
                        .orElseGet(KafkaMailDelivery::stored));
    }

    /** Assembles and compresses a large message only when there is memory for it, and again for each recipient. */
    private CompletionStage<DeliveryOutcome> sendLarge(MailTransaction transaction, Context trace) {
        int length = transaction.octets().length();
        Recipient last = transaction.envelope().recipients().getLast();
        AtomicReference<@Nullable CompleteMessage> read = new AtomicReference<>();
        return each(
                transaction,
                recipient -> producer.withMemoryFor(length, memory -> {
                    Octets raw = Octets.of(transaction.octets().toByteArray());
                    if (recipient.equals(last)) {
                        // The memory of the copy is counted separately.
                        transaction.octets().discard();
                    }
                    CompleteMessage message = read.get();
                    if (message == null) {
                        message = CompleteMessage.of(transaction, raw);
                        read.set(message);
                    }
                    return message.refusal().isPresent()
                            ? CompletableFuture.completedFuture(
                                    message.refusal().get())
                            : message.event(recipient, policy, message.carried(raw))
                                    .map(event -> send(event, memory, trace))
                                    .orElseGet(KafkaMailDelivery::stored);
                }));
    }

    private CompletionStage<DeliveryOutcome> send(
            InboundEvent event, InboundProducer.RecordMemory memory, Context trace) {
        byte[] value = EventCodec.encode(event);
        memory.shrinkTo(value.length);
        return producer.send(key(event), value, trace);
    }

    private static byte[] key(InboundEvent event) {
        return event.key().getBytes(StandardCharsets.US_ASCII);
    }

    private static CompletionStage<DeliveryOutcome> stored() {
        return CompletableFuture.completedFuture(DeliveryOutcome.STORED);
    }

    private static CompletionStage<DeliveryOutcome> each(
            MailTransaction transaction, Function<Recipient, CompletionStage<DeliveryOutcome>> send) {
        CompletableFuture<DeliveryOutcome> all = CompletableFuture.completedFuture(DeliveryOutcome.STORED);
        for (Recipient recipient : transaction.envelope().recipients()) {
            if (all.getNow(DeliveryOutcome.STORED) != DeliveryOutcome.STORED) {
                // The outcome is known, so no more records are sent.
                return all;
            }
            all = all.thenCombine(send.apply(recipient), (one, other) -> one == DeliveryOutcome.STORED ? other : one);
        }
        return all;
    }
}
