package dev.oneshot.mailer.request;

import dev.oneshot.mailer.kafka.KafkaClients;
import dev.oneshot.mailer.relay.Handover;
import dev.oneshot.mailer.retry.RetryHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/**
 * Consumes one topic. The thread of this loop alone touches the consumer; it never waits for the relay, and so always
 * polls in time: when enough is under way, or a record is not due, partitions are paused instead.
 */
final class RequestLoop implements Runnable, ConsumerRebalanceListener {

    private static final Logger LOG = Logger.getLogger(RequestLoop.class);
    private static final Duration POLL_IDLE = Duration.ofMillis(250);
    private static final Duration POLL_BUSY = Duration.ofMillis(5);
    private static final Duration AWAY_PAUSE = Duration.ofSeconds(1);
    private static final Duration NO_ROOM_PAUSE = Duration.ofMillis(100);

    private final Source source;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final InFlight inFlight;
    private final Settlements settlements;
    private final InstantSource clock;
    private final Duration drainTimeout;
    private final Map<TopicPartition, Instant> heldUntil = new HashMap<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private Instant leaveBy = Instant.MAX;
    private boolean isLeaving;

    RequestLoop(
            Source source,
            KafkaConsumer<byte[], byte[]> consumer,
            InFlight inFlight,
            Settlements settlements,
            InstantSource clock,
            Duration drainTimeout) {
        this.source = source;
        this.consumer = consumer;
        this.inFlight = inFlight;
        this.settlements = settlements;
        this.clock = clock;
        this.drainTimeout = drainTimeout;
    }

    @Override
    public void run() {
        try (settlements;
                consumer) {
            consumeAndDrain();
            LOG.infof("requests are no longer consumed topic=%s", source.topic().topicName());
        }
    }

    private void consumeAndDrain() {
        try {
            consumer.subscribe(List.of(source.topic().topicName()), this);
            while (stopping.getCount() > 0) {
                turnOrWait();
            }
            leaveBy = clock.instant().plus(drainTimeout);
            drain(Set.copyOf(consumer.assignment()), this::followTheGroup);
        } finally {
            // However it ends: the consumer that closes sends no more heartbeats, so nothing may wait or go from here
            // on.
            isLeaving = true;
            inFlight.withdraw(consumer.assignment());
        }
    }

    /** Ends {@link #run()}, from any thread, when what is under way has ended or the drain timeout has passed. */
    void stop() {
        stopping.countDown();
    }

    /** Kafka away is nothing to end for: what is under way goes on, and is committed when Kafka is back. */
    private void turnOrWait() {
        try {
            turn();
        } catch (KafkaException e) {
            LOG.warnf("requests cannot be consumed topic=%s: %s", source.topic().topicName(), e.toString());
            try {
                if (stopping.await(AWAY_PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                    LOG.debug("stopping while Kafka is away");
                }
            } catch (InterruptedException interruption) {
                Thread.currentThread().interrupt();
                stop();
            }
        }
    }

    private void turn() {
        settle(inFlight.ended());
        settlements.takeUp(consumer.assignment());
        pauseAndResume();
        Duration patience = inFlight.isEmpty() && settlements.isEmpty() ? POLL_IDLE : POLL_BUSY;
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(patience)) {
            take(record);
        }
    }

    /** Mails go only as long as no other member can have got their partitions, which a commit proves. */
    private void settle(List<Ending> ended) {
        settlements.commit(ended, !inFlight.isEmpty());
        inFlight.oursUntil(settlements.memberAtNanos() + KafkaClients.MEMBERSHIP.toNanos());
    }

    private void pauseAndResume() {
        Instant now = clock.instant();
        heldUntil.values().removeIf(until -> !until.isAfter(now));
        Set<TopicPartition> assigned = consumer.assignment();
        if (inFlight.isFull() || settlements.isInDoubt()) {
            consumer.pause(assigned);
        } else {
            consumer.resume(assigned.stream()
                    .filter(partition -> !heldUntil.containsKey(partition))
                    .collect(Collectors.toSet()));
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        if (heldUntil.containsKey(partition)) {
            return;
        }
        OffsetLedger ledger = settlements.ledger(partition);
        if (ledger.isDone(record.offset())) {
            return;
        }
        Instant now = clock.instant();
        Optional<Handover> outlasting = inFlight.find(partition, record.offset());
        if (outlasting.isPresent()) {
            takeOver(partition, record.offset(), outlasting.get());
            return;
        }
        Instant due = RetryHeaders.notBefore(record.headers());
        if (due.isAfter(now)) {
            hold(partition, record.offset(), due);
        } else if (!ledger.arrive(record.offset())) {
            hold(partition, record.offset(), now.plus(NO_ROOM_PAUSE));
        } else {
            inFlight.begin(partition, record);
        }
    }

    /** The partition was taken away and is back, and the first attempt at the record still runs. */
    private void takeOver(TopicPartition partition, long offset, Handover attempt) {
        if (attempt.isWithdrawn() || !settlements.ledger(partition).arrive(offset)) {
            hold(partition, offset, clock.instant().plus(NO_ROOM_PAUSE));
        }
    }

    /** The record will be fetched again; keeping it would keep its content in memory. */
    private void hold(TopicPartition partition, long offset, Instant until) {
        consumer.seek(partition, offset);
        consumer.pause(Set.of(partition));
        heldUntil.put(partition, until);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        // Nothing may come of them before it is known what of them is done; the next turn asks.
        consumer.pause(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        if (!isLeaving) {
            drain(Set.copyOf(partitions), () -> {});
        }
        onPartitionsLost(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        inFlight.withdraw(Set.copyOf(partitions));
        partitions.forEach(heldUntil::remove);
        settlements.forget(Set.copyOf(partitions));
    }

    private void drain(Set<TopicPartition> partitions, Runnable whenInDoubt) {
        Instant drained = clock.instant().plus(drainTimeout);
        Instant end = drained.isBefore(leaveBy) ? drained : leaveBy;
        inFlight.withdrawWaiting(partitions);
        do {
            settle(inFlight.awaitEnded(POLL_BUSY));
            if (settlements.isInDoubt()) {
                whenInDoubt.run();
            }
        } while ((inFlight.countOf(partitions) > 0 || settlements.hasAnyOf(partitions))
                && clock.instant().isBefore(end));
        inFlight.withdraw(partitions);
        long left = inFlight.countOf(partitions);
        if (left > 0) {
            LOG.warnf(
                    "the relay has not answered to the end of the data topic=%s count=%d: these mails may be sent twice",
                    source.topic().topicName(), left);
        }
    }

    /**
     * Takes part in a rebalance, and in nothing else: Kafka takes no commit of the generation before it, and a stop comes
     * into the midst of one whenever a new replica is there to replace this one.
     */
    private void followTheGroup() {
        try {
            consumer.pause(consumer.assignment());
            consumer.poll(Duration.ZERO);
        } catch (KafkaException e) {
            LOG.warnf(
                    "the group cannot be followed topic=%s: %s", source.topic().topicName(), e.toString());
        }
    }
}
