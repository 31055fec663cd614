package dev.oneshot.local.bench.ingest;

import dev.oneshot.contracts.event.Topic;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;

/** The lag of the consumers of {@code mail.inbound}. */
final class Lag implements AutoCloseable {

    private static final Duration NONE_WITHIN = Duration.ofMinutes(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private final Admin admin;

    Lag(String bootstrapServers) {
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }

    /** Counts the records that are not yet committed as handled, over all groups and partitions. */
    long records() throws ExecutionException, InterruptedException {
        long lag = 0;
        for (var group : admin.listGroups().all().get()) {
            var committed = admin.listConsumerGroupOffsets(group.groupId())
                    .partitionsToOffsetAndMetadata()
                    .get();
            for (var handled : committed.entrySet()) {
                if (handled.getKey().topic().equals(Topic.MAIL_INBOUND.topicName())) {
                    var end = admin.listOffsets(Map.of(handled.getKey(), OffsetSpec.latest()))
                            .partitionResult(handled.getKey())
                            .get();
                    lag += end.offset() - handled.getValue().offset();
                }
            }
        }
        return lag;
    }

    /**
     * Returns when the lag is 0.
     *
     * @throws IllegalStateException after two minutes
     */
    void awaitNone() throws ExecutionException, InterruptedException {
        long end = System.nanoTime() + NONE_WITHIN.toNanos();
        while (records() > 0) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("the consumers still lag after " + NONE_WITHIN);
            }
            Thread.sleep(POLL_INTERVAL);
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
