package dev.oneshot.local.backends;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.contracts.event.Topic;
import dev.oneshot.testing.TopicRecords;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalKafkaTest {

    private static final String INBOUND = Topic.MAIL_INBOUND.topicName();

    @TempDir
    Path directory;

    @Test
    void theTopicsAreThereWithTheirConfiguration() throws Exception {
        try (LocalKafka kafka = LocalKafka.start(directory, LoopbackPorts.free());
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            assertThat(admin.listTopics().names().get())
                    .containsExactlyInAnyOrderElementsOf(
                            Arrays.stream(Topic.values()).map(Topic::topicName).toList());

            ConfigResource inbound = new ConfigResource(ConfigResource.Type.TOPIC, INBOUND);
            Config configuration = requireNonNull(
                    admin.describeConfigs(List.of(inbound)).all().get().get(inbound));

            Topic.MAIL_INBOUND
                    .configuration()
                    .forEach((key, value) ->
                            assertThat(configuration.get(key).value()).as(key).isEqualTo(value));
        }
    }

    @Test
    void aRecordOf40MebibytesPassesAndOutlivesTheBroker() throws Exception {
        byte[] large = new byte[40 * 1024 * 1024];
        new Random(40).nextBytes(large);
        int port = LoopbackPorts.free();
        try (LocalKafka kafka = LocalKafka.start(directory, port)) {
            TopicRecords.publish(kafka.bootstrapServers(), List.of(new ProducerRecord<>(INBOUND, "large", large)));
        }

        try (LocalKafka again = LocalKafka.start(directory, port)) {
            assertThat(TopicRecords.read(again.bootstrapServers(), INBOUND, "large"))
                    .singleElement()
                    .satisfies(record -> assertThat(record.value()).isEqualTo(large));
        }
    }
}
