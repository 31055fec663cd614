package dev.oneshot.mailer.request;

import dev.oneshot.contracts.trace.RecordTrace;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.contracts.trace.TraceScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private final Delivery delivery;
    private final ExecutorService threads;
    private final Semaphore permits;
    private final int countMax;
    private final long bytesMax;
    private final BlockingQueue<Result> results = new LinkedBlockingQueue<>();
    private final Map<TopicPartition, Integer> counts = new HashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private long bytes;

    InFlight(Delivery delivery, ExecutorService threads, int countMax, long bytesMax) {
        this.delivery = delivery;
        this.threads = threads;
        this.permits = new Semaphore(countMax);
        this.countMax = countMax;
        this.bytesMax = bytesMax;
    }

    /** Exactly one of both is there. */
    private record Result(@Nullable Ending ending, @Nullable Throwable bug) {}

    void begin(TopicPartition partition, ConsumerRecord<byte[], byte[]> record) {
        int size = Math.max(0, record.serializedValueSize());
        count.incrementAndGet();
        bytes += size;
        counts.merge(partition, 1, Integer::sum);
        threads.execute(() -> results.add(deliver(partition, record, size)));
    }

    private Result deliver(TopicPartition partition, ConsumerRecord<byte[], byte[]> record, int size) {
        TraceContext trace = RecordTrace.continued(record.headers());
        permits.acquireUninterruptibly();
        try (TraceScope _ = TraceScope.open(trace)) {
            List<ProducerRecord<byte[], byte[]>> next = delivery.deliver(record);
            next.forEach(one -> RecordTrace.put(one.headers(), trace));
            return new Result(new Ending(partition, record.offset(), size, next), null);
        } catch (RuntimeException | Error e) {
            return new Result(null, e);
        } finally {
            permits.release();
        }
    }

    /** What has ended since the last call. */
    List<Ending> ended() {
        List<Ending> ended = new ArrayList<>();
        for (Result result = results.poll(); result != null; result = results.poll()) {
            ended.add(end(result));
        }
        return ended;
    }

    /** What has ended since the last call, after waiting for something to end. */
    List<Ending> awaitEnded(Duration patience) {
        try {
            Result first = results.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            List<Ending> ended = new ArrayList<>();
            if (first != null) {
                ended.add(end(first));
            }
            ended.addAll(ended());
            return ended;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for attempts", e);
        }
    }

    /** A bug ends the loop, which the health check tells: the record is not lost, and nothing is guessed about it. */
    private Ending end(Result result) {
        if (result.ending() == null) {
            throw new IllegalStateException("an attempt failed in a way that was not foreseen", result.bug());
        }
        Ending ending = result.ending();
        count.decrementAndGet();
        bytes -= ending.bytes();
        counts.merge(ending.partition(), -1, Integer::sum);
        return ending;
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

    int countOf(Set<TopicPartition> partitions) {
        return partitions.stream()
                .mapToInt(partition -> counts.getOrDefault(partition, 0))
                .sum();
    }
}
