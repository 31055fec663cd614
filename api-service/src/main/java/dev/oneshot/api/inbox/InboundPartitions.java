package dev.oneshot.api.inbox;

import dev.oneshot.api.kafka.DeadLetters;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.setting.ValidSetting;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.Identifier;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaConsumerRebalanceListener;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Default;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/** How far the mail in each partition of {@code mail.inbound} is stored. */
@ApplicationScoped
@Default
@Identifier(InboundConsumer.CHANNEL)
class InboundPartitions implements KafkaConsumerRebalanceListener {

    private static final Logger LOG = Logger.getLogger(InboundPartitions.class);
    private static final Duration COMMITTED_TIME = Duration.ofSeconds(5);

    private final ReplayWindow window;

    InboundPartitions(Admin admin, KafkaClientService clients, InboxConfig config) {
        Duration length = ValidSetting.between(
                "oneshot.inbox.replay-window", config.replayWindow(), Duration.ZERO, Topic.MAIL_INBOUND.retention());
        this.window = new ReplayWindow(
                admin,
                empty ->
                        clients.<String, byte[]>getProducer(DeadLetters.CHANNEL).send(empty),
                length,
                Topic.MAIL_INBOUND.segmentSpan(),
                InstantSource.system());
    }

    @Override
    public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        try {
            // So mail of the last owner leaves Kafka even if no mail follows. Null if nothing was committed.
            stored(consumer.committed(Set.copyOf(partitions), COMMITTED_TIME).entrySet().stream()
                    .filter(committed -> committed.getValue() != null)
                    .collect(Collectors.toMap(
                            Map.Entry::getKey, committed -> committed.getValue().offset())));
        } catch (KafkaException e) {
            LOG.warn("offsets not read: mail stored before leaves Kafka once more mail is stored", e);
        }
    }

    /** Everything before these offsets is in the database. */
    void stored(Map<TopicPartition, Long> offsets) {
        window.stored(offsets);
    }

    @Scheduled(
            every = "1s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    void moveWindow() {
        window.move();
    }
}
