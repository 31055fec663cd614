package dev.oneshot.ingest.recipient;

import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.trace.TraceContext;
import io.opentelemetry.context.Scope;
import io.smallrye.common.annotation.Identifier;
import io.smallrye.reactive.messaging.annotations.Blocking;
import io.smallrye.reactive.messaging.kafka.KafkaConsumerRebalanceListener;
import jakarta.enterprise.inject.Default;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.jboss.logging.Logger;

/**
 * Reads {@code address.closed} from its beginning, and follows it. Every node has its own consumer group, which
 * commits nothing. New partitions are assigned to it too. Reading a record again changes nothing.
 *
 * <p>Until it has read to the topic's end as of the start, {@link #isComplete} is false and the node is not ready. If
 * Kafka fails later, known addresses stay, and reading resumes.
 */
@Singleton
@Default
@Identifier(ClosedAddressFeed.CHANNEL)
public final class ClosedAddressFeed implements KafkaConsumerRebalanceListener {

    static final String CHANNEL = "address-closed";

    private static final Logger LOG = Logger.getLogger(ClosedAddressFeed.class);
    private static final Duration OFFSETS_TIME = Duration.ofSeconds(10);

    private final AddressIdCodec codec;
    private final ClosedAddressSet closed;
    private final InstantSource clock;
    private final Map<TopicPartition, Long> unreadBefore = new HashMap<>();

    private volatile boolean complete;
    private boolean full;

    ClosedAddressFeed(AddressIdCodec codec, ClosedAddressSet closed, InstantSource clock) {
        this.codec = codec;
        this.closed = closed;
        this.clock = clock;
    }

    /** Whether the topic has been read once from its beginning to its end. */
    public boolean isComplete() {
        return complete;
    }

    @Override
    public synchronized void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        if (complete || partitions.isEmpty()) {
            return;
        }
        try {
            Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions, OFFSETS_TIME);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, OFFSETS_TIME);
            unreadBefore.clear();
            unreadBefore.putAll(ends);
            unreadBefore.entrySet().removeIf(end -> begins.getOrDefault(end.getKey(), 0L) >= end.getValue());
            checkComplete();
        } catch (KafkaException e) {
            LOG.warnf("closed addresses not readable, trying again cause=%s", e.toString());
            consumer.enforceRebalance();
        }
    }

    @Incoming(CHANNEL)
    @Blocking
    synchronized void take(ConsumerRecords<byte[], byte[]> batch) {
        closed.dropExpired(clock.instant());
        batch.forEach(this::take);
        for (TopicPartition partition : batch.partitions()) {
            long next = batch.records(partition).getLast().offset() + 1;
            var _ = unreadBefore.computeIfPresent(partition, (_, end) -> next < end ? end : null);
        }
        checkComplete();
    }

    private void checkComplete() {
        if (!complete && unreadBefore.isEmpty()) {
            complete = true;
            LOG.infof("closed addresses read addresses=%d", closed.size());
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> message) {
        byte[] value = message.value();
        if (value == null) {
            return;
        }
        try {
            AddressClosed event = EventCodec.decodeAddressClosed(value);
            Optional<AddressId> id = codec.verify(event.addressId());
            if (id.isPresent() && id.get().expiresBy().isAfter(clock.instant())) {
                remember(id.get(), event.reason());
            }
        } catch (EventFormatException e) {
            try (Scope _ = TraceContext.of(message.headers()).makeCurrent()) {
                LOG.warnf(
                        "closed address not readable partition=%d offset=%d cause=%s",
                        message.partition(), message.offset(), e.getMessage());
            }
        }
    }

    private void remember(AddressId id, AddressClosed.Reason reason) {
        boolean remembered = closed.add(id, reason);
        if (!remembered && !full) {
            LOG.warnf("closed addresses full, later ones are not refused early addresses=%d", closed.size());
        }
        full = !remembered;
    }
}
