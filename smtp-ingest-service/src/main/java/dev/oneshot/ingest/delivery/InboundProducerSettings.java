package dev.oneshot.ingest.delivery;

import dev.oneshot.contracts.setting.ValidSetting;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The producer's properties that memory and timeouts of this service depend on.
 *
 * @param timeout how long Kafka has to acknowledge a record; a waiting session holds its message in memory
 * @param largeRecordsKib how much of the producer's memory large records may take, in KiB
 */
record InboundProducerSettings(Duration timeout, int largeRecordsKib) {

    static final String CHANNEL = "mail-inbound";

    private static final String PREFIX = "mp.messaging.outgoing." + CHANNEL + ".";
    private static final int KIBIBYTE = 1024;
    // The largest structure: as many parts and header fields as are read of a message, decoded to UTF-8.
    private static final int LARGEST_STRUCTURE_BYTES = 8 * 1024 * KIBIBYTE;
    // Clients wait this long for the reply (RFC 5321 §4.5.3.2.6).
    private static final Duration TIMEOUT_MAX = Duration.ofMinutes(10);
    // Large records leave this much of the producer's memory to small ones.
    private static final int SMALL_RECORDS_KIB = 16 * KIBIBYTE;

    /**
     * Reads the properties. One that is out of bounds stops the start.
     *
     * @param properties the producer's
     * @param messageBytesMax the largest message
     */
    static InboundProducerSettings checked(Map<String, ?> properties, long messageBytesMax) {
        long requestMillis = number(properties, ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 1, TIMEOUT_MAX.toMillis());
        // At least request.timeout.ms, or Kafka refuses it.
        long deliveryMillis =
                number(properties, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, requestMillis, TIMEOUT_MAX.toMillis());
        long bufferBytesMin = Math.max(messageBytesMax, (long) SMALL_RECORDS_KIB * KIBIBYTE) + LARGEST_STRUCTURE_BYTES;
        long bufferBytes = number(properties, ProducerConfig.BUFFER_MEMORY_CONFIG, 0, Integer.MAX_VALUE);
        ValidSetting.require(
                bufferBytes >= bufferBytesMin,
                PREFIX + ProducerConfig.BUFFER_MEMORY_CONFIG + " must be at least " + bufferBytesMin
                        + ", which is 8M more than oneshot.smtp.message-bytes-max");
        return new InboundProducerSettings(
                Duration.ofMillis(deliveryMillis), (int) (bufferBytes / KIBIBYTE) - SMALL_RECORDS_KIB);
    }

    private static long number(Map<String, ?> properties, String name, long min, long max) {
        String text = String.valueOf(properties.get(name)).strip();
        ValidSetting.require(text.matches("-?[0-9]{1,18}"), PREFIX + name + " must be a number, not " + text);
        return ValidSetting.between(PREFIX + name, Long.parseLong(text), min, max);
    }
}
