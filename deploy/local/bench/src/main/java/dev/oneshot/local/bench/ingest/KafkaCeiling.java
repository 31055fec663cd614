package dev.oneshot.local.bench.ingest;

import dev.oneshot.contracts.event.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A bare producer with the service's acknowledgements: {@code acks=all}, idempotent. */
final class KafkaCeiling {

    private static final int KEYS = 1000;

    private KafkaCeiling() {}

    /** Sends records of this size to {@code mail.inbound} at full speed; returns how many a second. */
    static double measure(String bootstrapServers, int size, Duration warmUp, Duration time) throws Exception {
        Map<String, Object> configuration = Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "acks",
                "all",
                "enable.idempotence",
                true,
                "linger.ms",
                0,
                "batch.size",
                64 * 1024,
                "max.request.size",
                Topic.RECORD_BYTES_MAX,
                "buffer.memory",
                96L * 1024 * 1024);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(configuration, new ByteArraySerializer(), new ByteArraySerializer())) {
            send(producer, size, warmUp);
            return send(producer, size, time);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The callback receives the result.
    private static double send(KafkaProducer<byte[], byte[]> producer, int size, Duration time) throws Exception {
        byte[] value = new byte[size];
        LongAdder done = new LongAdder();
        AtomicReference<@Nullable Exception> failed = new AtomicReference<>();
        long begin = System.nanoTime();
        for (int i = 0; System.nanoTime() - begin < time.toNanos(); i++) {
            byte[] key = Integer.toString(i % KEYS).getBytes(StandardCharsets.US_ASCII);
            producer.send(new ProducerRecord<>(Topic.MAIL_INBOUND.topicName(), key, value), (_, failure) -> {
                done.increment();
                failed.compareAndSet(null, failure);
            });
        }
        producer.flush();
        double seconds = (System.nanoTime() - begin) / 1e9;
        Exception failure = failed.get();
        if (failure != null) {
            throw failure;
        }
        return done.sum() / seconds;
    }
}
