package dev.oneshot.ingest.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.ingest.KafkaConfig;
import dev.oneshot.ingest.smtp.DeliveryOutcome;
import dev.oneshot.ingest.smtp.Envelope;
import dev.oneshot.ingest.smtp.MailTransaction;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.MessageOctets;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.local.backends.quarkus.KafkaResource;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(KafkaResource.class)
class KafkaMailDeliveryTest {

    private static final int KIBIBYTE = 1024;
    private static final int BUFFER_MEBIBYTES = 18;

    private final KafkaConfig kafka;

    KafkaMailDeliveryTest(KafkaConfig kafka) {
        this.kafka = kafka;
    }

    @Test
    void mailThatOneOfItsRecipientsHasNotIsNotStored() {
        DeliveryConfig config = DeliverySettings.read(
                Map.of("timeout", "1m", "buffer-memory", BUFFER_MEBIBYTES + "M", "inline-bytes-max", "2M"));
        InboundProducer producer = new InboundProducer(kafka, config, DeliverySettings.policy(KIBIBYTE));
        try {
            producer.start(new StartupEvent());
            await().atMost(Duration.ofSeconds(30)).until(producer::isReady);
            MailDelivery delivery = new KafkaMailDelivery(producer, new FirstMessage(), config);
            CompletionStage<DeliveryOutcome> outcome;
            KafkaResource.stopBroker();
            try {
                // What stays of the producer's memory is enough for one record of the mail, and not for two.
                for (int i = 1; i < BUFFER_MEBIBYTES; i++) {
                    CompletionStage<DeliveryOutcome> _ =
                            producer.send(new byte[] {1}, new byte[KIBIBYTE * KIBIBYTE], TraceContext.create());
                }
                outcome = delivery.deliver(mail(600 * KIBIBYTE));
            } finally {
                KafkaResource.startBroker();
            }

            assertThat(outcome.toCompletableFuture().join()).isEqualTo(DeliveryOutcome.OVERLOADED);
        } finally {
            producer.stop(new ShutdownEvent());
        }
    }

    private static MailTransaction mail(int bytes) {
        List<Recipient> recipients = Stream.of("a", "b")
                .map(letter -> letter.repeat(AddressId.LENGTH))
                .map(id -> new Recipient(id, new Mailbox(id, "in.example"), bytes, bytes, false))
                .toList();
        return new MailTransaction(
                "t",
                new Envelope(new ReversePath.Null(), recipients),
                MessageOctets.of(new byte[bytes]),
                Instant.now());
    }
}
