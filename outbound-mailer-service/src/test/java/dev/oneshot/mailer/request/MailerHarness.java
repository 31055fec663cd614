package dev.oneshot.mailer.request;

import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.mailer.closed.ClosedTopic;
import dev.oneshot.mailer.closed.DeletedAddresses;
import dev.oneshot.mailer.kafka.KafkaClients;
import dev.oneshot.mailer.kafka.KafkaConfig;
import dev.oneshot.mailer.relay.Relay;
import dev.oneshot.mailer.relay.TestRelayConfig;
import dev.oneshot.mailer.retry.RetryConfig;
import dev.oneshot.mailer.retry.RetrySchedule;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.MemorySize;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Mailers in this JVM on a real broker, and what goes in and comes out. */
final class MailerHarness implements AutoCloseable {

    private final LocalKafka kafka;
    private final KafkaClients clients;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> outcomes;
    private final Queue<Mailer> running = new ConcurrentLinkedQueue<>();
    private final Queue<MailSettled> settled = new ConcurrentLinkedQueue<>();
    private final Queue<ConsumerRecord<byte[], byte[]>> deadLetters = new ConcurrentLinkedQueue<>();
    private final MeterRegistry registry = new SimpleMeterRegistry();

    MailerHarness(LocalKafka kafka) {
        this.kafka = kafka;
        this.clients = new KafkaClients(new TestKafkaConfig(kafka.bootstrapServers()));
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "max.request.size", Topic.RECORD_BYTES_MAX),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        this.outcomes = clients.soleConsumer();
        List<TopicPartition> partitions = List.of(Topic.MAIL_SETTLED, Topic.MAIL_REQUESTED_DLQ).stream()
                .flatMap(topic -> outcomes.partitionsFor(topic.topicName()).stream())
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        outcomes.assign(partitions);
        outcomes.seekToEnd(partitions);
        partitions.forEach(outcomes::position);
    }

    LocalKafka kafka() {
        return kafka;
    }

    KafkaClients clients() {
        return clients;
    }

    /** A mailer that has not been started. */
    Mailer mailer(int relayPort, Duration pause, int tries) {
        return mailer(relayPort, pause, tries, Duration.ofSeconds(5), new Random());
    }

    private Mailer mailer(int relayPort, Duration pause, int tries, Duration drainTimeout, Random random) {
        var clock = Clock.systemUTC();
        var deleted = new DeletedAddresses(1000);
        var relayConfig = TestRelayConfig.plain(relayPort).patience(Duration.ofSeconds(60), Duration.ofSeconds(60));
        var schedule = new RetrySchedule(new TestRetryConfig(pause, tries), clock, random);
        var delivery = new Delivery(
                new Relay(relayConfig),
                schedule,
                Optional.empty(),
                deleted,
                new SeenRequests(),
                clock,
                new DeliveryMetrics(registry));
        return new Mailer(
                new TestMailerConfig(drainTimeout),
                clients,
                delivery,
                new ClosedTopic(clients, deleted, clock),
                clock,
                registry);
    }

    Mailer started(int relayPort, Duration pause, int tries) {
        return start(mailer(relayPort, pause, tries));
    }

    /** One that waits no longer than this for attempts when it stops or partitions move. */
    Mailer impatient(int relayPort, Duration drainTimeout) {
        return start(mailer(relayPort, Duration.ofSeconds(60), 3, drainTimeout, new Random()));
    }

    /** One with a bug: it fails when a mail is to be tried again. */
    Mailer faulty(int relayPort, Duration drainTimeout) {
        Random broken = new Random() {
            @Override
            public double nextDouble() {
                throw new IllegalStateException("a bug, as a test wants it");
            }
        };
        return start(mailer(relayPort, Duration.ofSeconds(60), 3, drainTimeout, broken));
    }

    private Mailer start(Mailer mailer) {
        mailer.start(new StartupEvent());
        running.add(mailer);
        return mailer;
    }

    /** Stops all that were started, in an orderly way. */
    void stopMailers() {
        for (Mailer mailer = running.poll(); mailer != null; mailer = running.poll()) {
            mailer.stop(new ShutdownEvent());
        }
    }

    Future<RecordMetadata> request(MailRequested request) {
        return send(Topic.MAIL_REQUESTED, request.addressId(), EventCodec.encode(request));
    }

    Future<RecordMetadata> request(MailRequested request, int partition) {
        byte[] key = request.addressId().getBytes(StandardCharsets.US_ASCII);
        return producer.send(
                new ProducerRecord<>(Topic.MAIL_REQUESTED.topicName(), partition, key, EventCodec.encode(request)));
    }

    Future<RecordMetadata> send(Topic topic, String key, byte @Nullable [] value) {
        return producer.send(new ProducerRecord<>(topic.topicName(), key.getBytes(StandardCharsets.US_ASCII), value));
    }

    void flush() throws ExecutionException, InterruptedException {
        producer.flush();
    }

    /** Reads on, and answers all settlements seen since the harness began, of this address. */
    List<MailSettled> settled(String addressId) {
        poll();
        return settled.stream()
                .filter(event -> event.addressId().equals(addressId))
                .toList();
    }

    /** All settlements seen since the harness began. */
    List<MailSettled> settled() {
        poll();
        return List.copyOf(settled);
    }

    List<ConsumerRecord<byte[], byte[]>> deadLetters() {
        poll();
        return List.copyOf(deadLetters);
    }

    /** What this gauge of the first mailer says about a topic. */
    double gauge(String name, Topic topic) {
        return registry.get(name).tag("topic", topic.topicName()).gauge().value();
    }

    private void poll() {
        for (ConsumerRecord<byte[], byte[]> record : outcomes.poll(Duration.ofMillis(100))) {
            if (record.topic().equals(Topic.MAIL_SETTLED.topicName())) {
                try {
                    settled.add(EventCodec.decodeMailSettled(record.value()));
                } catch (EventFormatException e) {
                    throw new IllegalStateException(e);
                }
            } else {
                deadLetters.add(record);
            }
        }
    }

    @Override
    public void close() {
        producer.close();
        outcomes.close();
    }

    private record TestKafkaConfig(String bootstrapServers) implements KafkaConfig {
        @Override
        public Map<String, String> client() {
            return Map.of();
        }
    }

    private record TestRetryConfig(Duration shortPause, int shortTries) implements RetryConfig {
        @Override
        public Duration mediumPause() {
            return shortPause;
        }

        @Override
        public int mediumTries() {
            return shortTries;
        }

        @Override
        public Duration longPause() {
            return shortPause;
        }

        @Override
        public int longTries() {
            return shortTries;
        }

        @Override
        public double jitter() {
            return 0.2;
        }
    }

    private record TestMailerConfig(Duration drainTimeout) implements MailerConfig {
        @Override
        public int concurrency() {
            return 16;
        }

        @Override
        public int retryConcurrency() {
            return 4;
        }

        @Override
        public MemorySize memory() {
            return new MemorySize(BigInteger.valueOf(32 << 20));
        }

        @Override
        public Duration eraseInterval() {
            return Duration.ofMillis(200);
        }

        @Override
        public int deletedAddressesMax() {
            return 1000;
        }
    }
}
