package dev.oneshot.local.bench.ingest;

import dev.oneshot.contracts.event.Topic;
import dev.oneshot.local.bench.Latency;
import dev.oneshot.local.bench.Load.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** What the broker takes from a bare producer, acknowledged as the service has it: {@code acks=all}, idempotent. */
final class KafkaCeiling {

    private static final int KEYS = 1000;

    private KafkaCeiling() {}

    /** Sends records of this size to {@code mail.inbound}, as fast as the producer takes them. */
    static Outcome measure(String bootstrapServers, int octets, Duration warmUp, Duration time) throws Exception {
        Map<String, Object> configuration = Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class,
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class,
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                true,
                ProducerConfig.LINGER_MS_CONFIG,
                0,
                ProducerConfig.BATCH_SIZE_CONFIG,
                64 * 1024,
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                Topic.RECORD_BYTES_MAX,
                ProducerConfig.BUFFER_MEMORY_CONFIG,
                96L * 1024 * 1024);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(configuration)) {
            send(producer, octets, warmUp);
            return send(producer, octets, time);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The callback hears all that the future would tell.
    private static Outcome send(KafkaProducer<byte[], byte[]> producer, int octets, Duration time) throws Exception {
        byte[] value = new byte[octets];
        LongAdder done = new LongAdder();
        Latency latency = new Latency();
        AtomicReference<@Nullable Exception> failed = new AtomicReference<>();
        long begin = System.nanoTime();
        long end = begin + time.toNanos();
        for (int i = 0; System.nanoTime() - end < 0; i++) {
            byte[] key = Integer.toString(i % KEYS).getBytes(StandardCharsets.US_ASCII);
            long sent = System.nanoTime();
            producer.send(new ProducerRecord<>(Topic.MAIL_INBOUND.topicName(), key, value), (_, failure) -> {
                if (failure == null) {
                    done.increment();
                    latency.record(System.nanoTime() - sent);
                } else {
                    failed.compareAndSet(null, failure);
                }
            });
        }
        producer.flush();
        double seconds = (System.nanoTime() - begin) / 1e9;
        Exception failure = failed.get();
        if (failure != null) {
            throw failure;
        }
        return new Outcome(done.sum(), 0, seconds, latency);
    }
}
