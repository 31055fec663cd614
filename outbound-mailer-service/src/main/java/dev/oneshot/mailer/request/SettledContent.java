package dev.oneshot.mailer.request;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/** Deletes from Kafka what is settled: sent content is not kept. For one thread. */
final class SettledContent {

    private static final Logger LOG = Logger.getLogger(SettledContent.class);

    private final Admin admin;
    private final Duration interval;
    private final InstantSource clock;
    private final Map<TopicPartition, Long> settledBefore = new HashMap<>();
    private Instant nextAt = Instant.MIN;

    SettledContent(Admin admin, Duration interval, InstantSource clock) {
        this.admin = admin;
        this.interval = interval;
        this.clock = clock;
    }

    /** Everything before this offset is settled, and that is committed. */
    void settled(TopicPartition partition, long before) {
        settledBefore.put(partition, before);
    }

    void forget(Set<TopicPartition> partitions) {
        settledBefore.keySet().removeAll(partitions);
    }

    /** Deletes in the background what is settled, if it is time to. */
    void deleteWhenDue() {
        Instant now = clock.instant();
        if (settledBefore.isEmpty() || now.isBefore(nextAt)) {
            return;
        }
        nextAt = now.plus(interval);
        Map<TopicPartition, RecordsToDelete> deletions = new HashMap<>();
        settledBefore.forEach((partition, before) -> deletions.put(partition, RecordsToDelete.beforeOffset(before)));
        settledBefore.clear();
        // What fails is deleted along with what is settled next, or when its retention ends.
        var _ = admin.deleteRecords(deletions).all().whenComplete((done, failure) -> {
            if (failure != null) {
                LOG.warnf("settled requests could not be deleted from Kafka yet: %s", failure.getMessage());
            }
        });
    }
}
