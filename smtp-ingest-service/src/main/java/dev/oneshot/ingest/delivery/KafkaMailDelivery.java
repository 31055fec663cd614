package dev.oneshot.ingest.delivery;

import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.MailInbound;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.ingest.smtp.DeliveryOutcome;
import dev.oneshot.ingest.smtp.MailTransaction;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.message.MessageLimits;
import dev.oneshot.message.MessageReader;
import dev.oneshot.message.MessageStructure;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;

/**
 * Reads the structure of a message and sends one record a recipient to {@code mail.inbound}. Stored means: every one
 * of them has been acknowledged by all in-sync replicas. If one has not, the others may be there all the same; the
 * sender comes again, and the database takes the first mail of an address only.
 */
@Singleton
final class KafkaMailDelivery implements MailDelivery {

    private static final Logger LOG = Logger.getLogger(KafkaMailDelivery.class);

    private final InboundProducer producer;
    private final Executor largeMessages;
    private final long inlineBytesMax;

    KafkaMailDelivery(InboundProducer producer, DeliveryConfig config) {
        this.producer = producer;
        this.inlineBytesMax = config.inlineBytesMax().asLongValue();
        this.largeMessages = command -> Thread.ofVirtual().name("large-message").start(command);
    }

    @Override
    public CompletionStage<DeliveryOutcome> deliver(MailTransaction transaction) {
        long octets = (long) transaction.length()
                * transaction.envelope().recipients().size();
        CompletionStage<DeliveryOutcome> outcome = octets <= inlineBytesMax
                ? send(transaction, false)
                : CompletableFuture.completedFuture(transaction)
                        .thenComposeAsync(large -> send(large, true), largeMessages);
        return outcome.exceptionally(failure -> {
                    LOG.errorf(failure, "mail not stored transaction=%s", transaction.id());
                    return DeliveryOutcome.UNAVAILABLE;
                })
                .thenApply(settled -> {
                    LOG.debugf(
                            "mail settled transaction=%s outcome=%s bytes=%d recipients=%d",
                            transaction.id(),
                            settled,
                            transaction.length(),
                            transaction.envelope().recipients().size());
                    return settled;
                });
    }

    @Override
    public boolean isReady() {
        return producer.isReady();
    }

    private CompletionStage<DeliveryOutcome> send(MailTransaction transaction, boolean large) {
        MessageStructure structure =
                MessageReader.read(transaction.octets(), 0, transaction.length(), MessageLimits.DEFAULTS);
        CompletableFuture<DeliveryOutcome> all = CompletableFuture.completedFuture(DeliveryOutcome.STORED);
        for (Recipient recipient : transaction.envelope().recipients()) {
            if (all.getNow(DeliveryOutcome.STORED) != DeliveryOutcome.STORED) {
                // It is lost already, and every further recipient might wait as long as this one did.
                return all;
            }
            byte[] key = recipient.addressId().getBytes(StandardCharsets.US_ASCII);
            CompletionStage<DeliveryOutcome> one = large
                    ? producer.sendLarge(key, transaction.length(), () -> encode(transaction, recipient, structure))
                    : producer.send(key, encode(transaction, recipient, structure));
            all = all.thenCombine(one, KafkaMailDelivery::worse);
        }
        return all;
    }

    private static byte[] encode(MailTransaction transaction, Recipient recipient, MessageStructure structure) {
        return EventCodec.encode(new MailInbound(
                recipient.addressId(),
                transaction.envelope().reversePath().text(),
                transaction.receivedAt(),
                structure,
                Octets.of(transaction.octets(), 0, transaction.length())));
    }

    private static DeliveryOutcome worse(DeliveryOutcome one, DeliveryOutcome other) {
        return one == DeliveryOutcome.STORED ? other : one;
    }
}
