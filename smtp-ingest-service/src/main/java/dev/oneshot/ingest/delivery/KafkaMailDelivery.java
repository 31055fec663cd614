package dev.oneshot.ingest.delivery;

import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.MailInbound;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.contracts.trace.TraceScope;
import dev.oneshot.ingest.smtp.Origin;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import dev.oneshot.message.MessageLimits;
import dev.oneshot.message.MessageReader;
import dev.oneshot.message.MessageStructure;
import io.quarkus.runtime.configuration.ConfigurationException;
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

    // The part of the producer's memory that large records leave free; larger ones would also block an event loop.
    private static final long INLINE_BYTES_MAX = 16 * 1024 * 1024;
    private static final Executor LARGE_MESSAGES =
            command -> Thread.ofVirtual().name("large-message").start(command);

    private final InboundProducer producer;
    private final DeliveryWarmUp first;
    private final long inlineBytesMax;

    KafkaMailDelivery(InboundProducer producer, DeliveryWarmUp first, DeliveryConfig config) {
        this.producer = producer;
        this.first = first;
        this.inlineBytesMax = config.inlineBytesMax().asLongValue();
        if (inlineBytesMax > INLINE_BYTES_MAX) {
            throw new ConfigurationException("oneshot.delivery.inline-bytes-max must be at most 16M");
        }
    }

    @Override
    public CompletionStage<DeliveryOutcome> deliver(MailTransaction transaction) {
        TraceContext trace = TraceContext.create();
        int length = transaction.octets().length();
        int recipients = transaction.envelope().recipients().size();
        CompletionStage<DeliveryOutcome> outcome = (long) length * recipients <= inlineBytesMax
                ? CompletableFuture.completedFuture(transaction).thenCompose(small -> sendSmall(small, trace))
                : CompletableFuture.completedFuture(transaction)
                        .thenComposeAsync(large -> sendLarge(large, trace), LARGE_MESSAGES);
        return outcome.exceptionally(failure -> {
                    try (TraceScope _ = TraceScope.open(trace)) {
                        LOG.errorf(failure, "mail not stored transaction=%s", transaction.id());
                    }
                    return DeliveryOutcome.UNAVAILABLE;
                })
                .thenApply(settled -> {
                    try (TraceScope _ = TraceScope.open(trace)) {
                        LOG.debugf(
                                "mail settled transaction=%s outcome=%s bytes=%d recipients=%d",
                                transaction.id(), settled, length, recipients);
                        if (settled == DeliveryOutcome.STORED) {
                            logReceived(transaction);
                        }
                    }
                    return settled;
                });
    }

    /** One line a mail, for complaints after its bytes are gone: who delivered it. */
    private static void logReceived(MailTransaction transaction) {
        Origin origin = transaction.origin();
        String senderDomain = transaction.envelope().reversePath() instanceof ReversePath.Sender sender
                ? sender.mailbox().domain()
                : "<>";
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
        return producer.isReady() && first.isRead();
    }

    private CompletionStage<DeliveryOutcome> sendSmall(MailTransaction transaction, TraceContext trace) {
        Octets raw = Octets.of(
                transaction.octets().contiguous(), 0, transaction.octets().length());
        MessageStructure structure = structure(raw, transaction);
        if (isRefused(transaction, structure)) {
            return CompletableFuture.completedFuture(DeliveryOutcome.ATTACHMENT_TOO_LARGE);
        }
        return each(
                transaction,
                recipient -> producer.send(
                        key(recipient), EventCodec.encode(mail(transaction, recipient, structure, raw)), trace));
    }

    /** Assembles a large message where its record is created, and only when there is memory for the record. */
    private CompletionStage<DeliveryOutcome> sendLarge(MailTransaction transaction, TraceContext trace) {
        int length = transaction.octets().length();
        Recipient last = transaction.envelope().recipients().getLast();
        AtomicReference<@Nullable MessageStructure> found = new AtomicReference<>();
        return each(
                transaction,
                recipient -> producer.withRoomFor(length, () -> {
                    Octets raw = EventCodec.roomForMail(length);
                    transaction.octets().copyTo(raw.array(), raw.offset());
                    if (recipient.equals(last)) {
                        // The record now holds the message, and its memory is counted separately.
                        transaction.octets().discard();
                    }
                    MessageStructure structure = found.get();
                    if (structure == null) {
                        structure = structure(raw, transaction);
                        found.set(structure);
                    }
                    if (isRefused(transaction, structure)) {
                        return CompletableFuture.completedFuture(DeliveryOutcome.ATTACHMENT_TOO_LARGE);
                    }
                    byte[] value = EventCodec.encodeInPlace(mail(transaction, recipient, structure, raw));
                    return producer.send(key(recipient), value, trace);
                }));
    }

    private static CompletionStage<DeliveryOutcome> each(
            MailTransaction transaction, Function<Recipient, CompletionStage<DeliveryOutcome>> send) {
        CompletableFuture<DeliveryOutcome> all = CompletableFuture.completedFuture(DeliveryOutcome.STORED);
        for (Recipient recipient : transaction.envelope().recipients()) {
            if (all.getNow(DeliveryOutcome.STORED) != DeliveryOutcome.STORED) {
                // The outcome is known; sending more records would only wait longer.
                return all;
            }
            all = all.thenCombine(send.apply(recipient), KafkaMailDelivery::worse);
        }
        return all;
    }

    private static MessageStructure structure(Octets raw, MailTransaction transaction) {
        int traceLength = transaction.octets().traceLength();
        return MessageReader.read(raw.array(), raw.offset(), raw.length(), traceLength, MessageLimits.DEFAULTS);
    }

    /** Checked before anything is sent. An unreadable part of a message is not an attachment. */
    private static boolean isRefused(MailTransaction transaction, MessageStructure structure) {
        return structure.largestAttachmentBytes() > transaction.envelope().attachmentBytesMax();
    }

    private static byte[] key(Recipient recipient) {
        return recipient.addressId().getBytes(StandardCharsets.US_ASCII);
    }

    private static MailInbound mail(
            MailTransaction transaction, Recipient recipient, MessageStructure structure, Octets raw) {
        return new MailInbound(
                recipient.addressId(),
                transaction.envelope().reversePath().text(),
                transaction.receivedAt(),
                structure,
                raw);
    }

    private static DeliveryOutcome worse(DeliveryOutcome one, DeliveryOutcome other) {
        return one == DeliveryOutcome.STORED ? other : one;
    }
}
