package dev.oneshot.mailer.request;

import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Recognises a request that api-service's outbox has published twice, which happens when its replica dies between
 * Kafka's acknowledgement and its own commit. Remembers the requests that came last, and where they stood: the same
 * record may well come twice, after a rebalance. Safe for use by many threads.
 */
@Singleton
final class SeenRequests {

    private static final int IDS_MAX = 50_000;

    private record Position(String topic, int partition, long offset) {}

    private final Map<String, Position> seen = new LinkedHashMap<>();

    /** Whether another record of the same topic was the same request; if not, this one will be remembered. */
    synchronized boolean isSecond(String addressId, ConsumerRecord<byte[], byte[]> record) {
        Position position = new Position(record.topic(), record.partition(), record.offset());
        Position first = seen.putIfAbsent(addressId, position);
        if (first == null && seen.size() > IDS_MAX) {
            seen.remove(seen.keySet().iterator().next());
        }
        return first != null && !first.equals(position);
    }
}
