package dev.oneshot.ingest.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.trace.RecordSpans;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailDelivery;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import dev.oneshot.ingest.transcript.Transcript;
import dev.oneshot.local.backends.quarkus.KafkaResource;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaProducer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(KafkaResource.class)
class KafkaMailDeliveryTest {

    private static final Tracer NO_SPANS = OpenTelemetry.noop().getTracer("test");

    private static final int KIBIBYTE = 1024;
    private static final int BUFFER_MEBIBYTES = 24;

    private final InboundProducer producer;
    private final String brokers;
    private final SmtpPolicy policy = Transcript.policyOf("messageBytesMax=1024");

    KafkaMailDeliveryTest(InboundProducer producer, @ConfigProperty(name = "kafka.bootstrap.servers") String brokers) {
        this.producer = producer;
        this.brokers = brokers;
    }

    @Test
    void mailThatOneOfItsRecipientsHasNotIsNotStored() {
        Map<String, Object> properties = Map.of(
                "bootstrap.servers", brokers,
                "max.block.ms", "0",
                "metadata.recovery.strategy", "none",
                "max.request.size", Integer.toString(2 * KIBIBYTE * KIBIBYTE),
                "request.timeout.ms", "5000",
                "delivery.timeout.ms", "60000",
                "buffer.memory", Integer.toString(BUFFER_MEBIBYTES * KIBIBYTE * KIBIBYTE));
        CompletableFuture<DeliveryOutcome> outcome = new CompletableFuture<>();
        try (Producer<byte[], byte[]> client = new org.apache.kafka.clients.producer.KafkaProducer<>(
                properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            InboundProducer little =
                    new InboundProducer(clientsOf(client, properties), policy, new RecordSpans(NO_SPANS));
            little.start(new StartupEvent());
            await().atMost(Duration.ofMinutes(3)).until(little::isReady);
            MailDelivery delivery = new KafkaMailDelivery(little, inline(2 * KIBIBYTE * KIBIBYTE), policy, NO_SPANS);
            MailTransaction mail = mail(600 * KIBIBYTE);
            KafkaResource.stopBroker();
            try {
                // The rest of the producer's memory is enough for one record of the mail, and not for two.
                for (int i = 1; i < BUFFER_MEBIBYTES; i++) {
                    CompletionStage<DeliveryOutcome> _ =
                            little.send(new byte[] {1}, new byte[KIBIBYTE * KIBIBYTE], Context.root());
                }
                delivery.begin(mail.origin(), mail.envelope().reversePath()).store(mail, outcome::complete);
            } finally {
                KafkaResource.startBroker();
            }
            assertThat(outcome.join()).isEqualTo(DeliveryOutcome.OVERLOADED);
        }
    }

    @Test
    void largestInlineMessageIsTakenAndALargerOneRefusedByName() {
        for (int bytes : new int[] {0, 16 * 1024 * 1024}) {
            assertThatCode(() -> new KafkaMailDelivery(producer, inline(bytes), policy, NO_SPANS))
                    .doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> new KafkaMailDelivery(producer, inline(16 * 1024 * 1024 + 1), policy, NO_SPANS))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("oneshot.delivery.inline-bytes-max");
    }

    private static DeliveryConfig inline(int bytes) {
        return () -> new MemorySize(BigInteger.valueOf(bytes));
    }

    /** The channel's producer with little memory, which keeps its records while the broker is down. */
    private KafkaClientService clientsOf(Producer<byte[], byte[]> littleMemory, Map<String, Object> properties) {
        Map<String, Object> channel = Map.of("configuration", properties, "unwrap", littleMemory);
        return one(
                KafkaClientService.class,
                (_, _, _) -> one(
                        KafkaProducer.class, (_, method, _) -> Objects.requireNonNull(channel.get(method.getName()))));
    }

    private static <T> T one(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static MailTransaction mail(int bytes) {
        List<Recipient> recipients = Stream.of("a", "b")
                .map(letter -> letter.repeat(AddressId.LENGTH))
                .map(id -> new Recipient(id, new Mailbox(id, "in.example"), bytes, bytes, false))
                .toList();
        // Not to shrink when it is compressed.
        byte[] octets = new byte[bytes];
        new Random(1).nextBytes(octets);
        return CompleteMessageTest.transaction(octets, recipients);
    }
}
