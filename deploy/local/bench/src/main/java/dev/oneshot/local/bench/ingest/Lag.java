package dev.oneshot.local.bench.ingest;

import dev.oneshot.contracts.event.Topic;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** How far the consumers of {@code mail.inbound} are behind. */
final class Lag implements AutoCloseable {

    private static final Duration DRAINED_WITHIN = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(200);

    private final Admin admin;

    Lag(String bootstrapServers) {
        this.admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
    }

    /** Records that are there and not committed as handled, over all groups and partitions. */
    long records() throws ExecutionException, InterruptedException {
        long lag = 0;
        for (var group : admin.listGroups().all().get()) {
            Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(group.groupId())
                    .partitionsToOffsetAndMetadata()
                    .get();
            Map<TopicPartition, OffsetSpec> inbound = committed.keySet().stream()
                    .filter(partition -> partition.topic().equals(Topic.MAIL_INBOUND.topicName()))
                    .collect(Collectors.toMap(Function.identity(), _ -> OffsetSpec.latest()));
            for (var end : admin.listOffsets(inbound).all().get().entrySet()) {
                OffsetAndMetadata handled = committed.get(end.getKey());
                lag += end.getValue().offset() - (handled == null ? 0 : handled.offset());
            }
        }
        return lag;
    }

    /**
     * Returns when there is none.
     *
     * @throws IllegalStateException after two minutes
     */
    void awaitNone() throws ExecutionException, InterruptedException {
        long end = System.nanoTime() + DRAINED_WITHIN.toNanos();
        while (records() > 0) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("the consumers are still behind after " + DRAINED_WITHIN);
            }
            Thread.sleep(POLL);
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
