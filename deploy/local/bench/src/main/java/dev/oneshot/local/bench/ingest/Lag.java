package dev.oneshot.local.bench.ingest;

import dev.oneshot.contracts.event.Topic;
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

    @Override
    public void close() {
        admin.close();
    }
}
