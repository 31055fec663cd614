package dev.oneshot.mailer.request;

import dev.oneshot.contracts.event.MailSettled.Reply;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Recognises a request that api-service's outbox has published twice, which happens when its replica dies between
 * Kafka's acknowledgement and its own commit. Remembers the requests that came last, and where they stood: the same
 * record may well come twice, after a rebalance. Then it is also known which mails the relay has taken already though
 * that could not be committed. Safe for use by many threads.
 */
@Singleton
final class SeenRequests {

    private static final int IDS_MAX = 50_000;

    private record Position(String topic, int partition, long offset) {}

    private final Map<String, Position> seen = new LinkedHashMap<>();
    private final Map<String, Reply> relayed = new LinkedHashMap<>();

    /** Whether another record of the same topic was the same request; if not, this one will be remembered. */
    synchronized boolean isSecond(String addressId, ConsumerRecord<byte[], byte[]> record) {
        Position position = new Position(record.topic(), record.partition(), record.offset());
        Position first = seen.putIfAbsent(addressId, position);
        forgetOldest(seen);
        return first != null && !first.equals(position);
    }

    /** Remembers that the relay has taken the mail of this address, and its reply. */
    synchronized void relayed(String addressId, Reply reply) {
        relayed.put(addressId, reply);
        forgetOldest(relayed);
    }

    /** What the relay said when it took the mail of this address, if it did. */
    synchronized Optional<Reply> replyTo(String addressId) {
        return Optional.ofNullable(relayed.get(addressId));
    }

    private static void forgetOldest(Map<String, ?> remembered) {
        if (remembered.size() > IDS_MAX) {
            remembered.remove(remembered.keySet().iterator().next());
        }
    }
}
