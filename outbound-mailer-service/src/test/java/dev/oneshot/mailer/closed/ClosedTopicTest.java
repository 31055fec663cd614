package dev.oneshot.mailer.closed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.TemporaryBackends;
import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.kafka.KafkaClients;
import dev.oneshot.mailer.kafka.KafkaConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClosedTopicTest {

    private static final String TOPIC = Topic.ADDRESS_CLOSED.topicName();

    private final LocalKafka kafka = TemporaryBackends.kafka();
    private final DeletedAddresses deleted = new DeletedAddresses(1000);
    private final ClosedTopic topic =
            new ClosedTopic(clients(kafka), deleted, Duration.ofMillis(100), InstantSource.system());
    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers(), "metadata.max.age.ms", 100),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    private Thread reading;

    @BeforeEach
    void read() {
        reading = Thread.ofPlatform().start(topic);
        topic.awaitReadWhole();
    }

    @AfterEach
    void stop() throws InterruptedException {
        topic.stop();
        producer.close();
        assertThat(reading.join(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void partitionsThatAreAddedAreReadToo() throws Exception {
        int added;
        try (Admin admin = clients(kafka).admin()) {
            added = producer.partitionsFor(TOPIC).size();
            admin.createPartitions(Map.of(TOPIC, NewPartitions.increaseTo(added + 1)))
                    .all()
                    .get();
        }
        await().until(() -> producer.partitionsFor(TOPIC).size() > added);

        MailRequested request = Requests.to("ada@example.org");
        producer.send(new ProducerRecord<>(TOPIC, added, null, deletion(request)))
                .get();

        await().atMost(Duration.ofSeconds(20)).until(() -> deleted.contains(request.addressId(), request.expiresAt()));
    }

    @Test
    void itGoesOnAfterTheBrokerWasAway() throws Exception {
        kafka.stop();
        kafka.start();

        MailRequested request = Requests.to("ada@example.org");
        producer.send(new ProducerRecord<>(TOPIC, deletion(request))).get();

        await().atMost(Duration.ofSeconds(30)).until(() -> deleted.contains(request.addressId(), request.expiresAt()));
    }

    private static byte[] deletion(MailRequested request) {
        return EventCodec.encode(
                new AddressClosed(request.addressId(), AddressClosed.Reason.DELETED, request.expiresAt()));
    }

    private static KafkaClients clients(LocalKafka kafka) {
        return new KafkaClients(new Broker(kafka.bootstrapServers()));
    }

    private record Broker(String bootstrapServers) implements KafkaConfig {
        @Override
        public Map<String, String> client() {
            return Map.of();
        }
    }
}
