package dev.oneshot.mailer.request;

import dev.oneshot.contracts.trace.RecordTrace;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.contracts.trace.TraceScope;
import dev.oneshot.mailer.relay.Handover;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The records that are being delivered, each on a virtual thread; what comes of one carries its trace on. Its methods
 * are for the thread of the loop alone, but for what the gauges read.
 */
final class InFlight {

    /** How many times as many records a poll answers, and are here before no more are asked for, as mails go at once. */
    static final int READ_AHEAD = 4;

    private final Delivery delivery;
    private final ExecutorService threads;
    private final Semaphore permits;
    private final int countMax;
    private final long bytesMax;
    private final BlockingQueue<Result> results = new LinkedBlockingQueue<>();
    private final Map<TopicPartition, Map<Long, Handover>> handovers = new HashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private long bytes;
    private long oursUntilNanos = System.nanoTime();

    /** @param concurrency how many are handed to the relay at once; more wait, so that none waits for a commit of others */
    InFlight(Delivery delivery, ExecutorService threads, int concurrency, long bytesMax) {
        this.delivery = delivery;
        this.threads = threads;
        this.permits = new Semaphore(concurrency);
        this.countMax = concurrency * READ_AHEAD;
        this.bytesMax = bytesMax;
    }

    /** @param records what to write because the record is done; empty if it is not, as its mail was withdrawn */
    private record Result(
            TopicPartition partition,
            long offset,
            int bytes,
            Optional<List<ProducerRecord<byte[], byte[]>>> records,
            @Nullable Throwable bug) {}

    void begin(TopicPartition partition, ConsumerRecord<byte[], byte[]> record) {
        Handover handover = new Handover(oursUntilNanos);
        handovers.computeIfAbsent(partition, _ -> new HashMap<>()).put(record.offset(), handover);
        count.incrementAndGet();
        bytes += size(record);
        threads.execute(() -> results.add(deliver(partition, record, handover)));
    }

    private Result deliver(TopicPartition partition, ConsumerRecord<byte[], byte[]> record, Handover handover) {
        TraceContext trace = RecordTrace.continued(record.headers());
        permits.acquireUninterruptibly();
        try (TraceScope _ = TraceScope.open(trace)) {
            Optional<List<ProducerRecord<byte[], byte[]>>> next =
                    handover.isWithdrawn() ? Optional.empty() : delivery.deliver(record, handover);
            next.ifPresent(records -> records.forEach(one -> RecordTrace.put(one.headers(), trace)));
            return new Result(partition, record.offset(), size(record), next, null);
        } catch (RuntimeException | Error e) {
            return new Result(partition, record.offset(), size(record), Optional.empty(), e);
        } finally {
            permits.release();
        }
    }

    private static int size(ConsumerRecord<byte[], byte[]> record) {
        return Math.max(0, record.serializedValueSize());
    }

    /** Records that are done since the last call. */
    List<Ending> ended() {
        List<Ending> ended = new ArrayList<>();
        for (Result result = results.poll(); result != null; result = results.poll()) {
            end(result).ifPresent(ended::add);
        }
        return ended;
    }

    /** Records that are done since the last call, after waiting for an attempt to end. */
    List<Ending> awaitEnded(Duration patience) {
        try {
            Result first = results.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            List<Ending> ended = new ArrayList<>();
            if (first != null) {
                end(first).ifPresent(ended::add);
            }
            ended.addAll(ended());
            return ended;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for attempts", e);
        }
    }

    /** A bug ends the loop, which the health check tells: the record is not lost, and nothing is guessed about it. */
    private Optional<Ending> end(Result result) {
        if (result.bug() != null) {
            throw new IllegalStateException("an attempt failed in a way that was not foreseen", result.bug());
        }
        handovers.computeIfPresent(result.partition(), (_, mails) -> {
            mails.remove(result.offset());
            return mails.isEmpty() ? null : mails;
        });
        count.decrementAndGet();
        bytes -= result.bytes();
        return result.records().map(records -> new Ending(result.partition(), result.offset(), records));
    }

    /** Nobody else sends what is in flight, or begins from now on, up to this {@link System#nanoTime()}. */
    void oursUntil(long nanos) {
        oursUntilNanos = nanos;
        handovers.values().forEach(mails -> mails.values().forEach(handover -> handover.oursUntil(nanos)));
    }

    /** Withdraws the mails of partitions that others get, as far as the relay cannot have them yet. */
    void withdraw(Set<TopicPartition> partitions) {
        partitions.forEach(partition ->
                handovers.getOrDefault(partition, Map.of()).values().forEach(Handover::withdraw));
    }

    /** Withdraws the mails of these partitions that only wait for their turn. */
    void withdrawWaiting(Set<TopicPartition> partitions) {
        partitions.forEach(partition ->
                handovers.getOrDefault(partition, Map.of()).values().forEach(Handover::withdrawUnlessBegun));
    }

    /** The attempt at this record, if there is one. */
    Optional<Handover> find(TopicPartition partition, long offset) {
        return Optional.ofNullable(handovers.getOrDefault(partition, Map.of()).get(offset));
    }

    boolean isFull() {
        return count.get() >= countMax || bytes >= bytesMax;
    }

    boolean isEmpty() {
        return count.get() == 0;
    }

    /** How many are under way; from any thread. */
    int count() {
        return count.get();
    }

    /** How many of these partitions are under way and not withdrawn. */
    long countOf(Set<TopicPartition> partitions) {
        return partitions.stream()
                .flatMap(partition -> handovers.getOrDefault(partition, Map.of()).values().stream())
                .filter(handover -> !handover.isWithdrawn())
                .count();
    }
}
