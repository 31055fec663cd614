package dev.oneshot.api.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.TestTopic;
import dev.oneshot.contracts.event.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

@ServiceTest
class DueMailsTest {

    private static final Duration STEP_TIMEOUT = Duration.ofMinutes(3);
    private static final ConfigResource MAIL_DUE =
            new ConfigResource(ConfigResource.Type.TOPIC, Topic.MAIL_DUE.topicName());
    /** The topic's times are this many times shorter than in docs/privacy.md. */
    private static final int SHORTER = 60;

    private final TestAccount account = TestAccount.onPlan("pro");
    private final String marker = "marker-" + UUID.randomUUID();

    /** Nothing follows it in its partition. Kafka's check and its deletion of files take 5 min and 1 min by default. */
    @Test
    void contentLeavesKafkasFilesWithin15MinutesOfItsPublication() throws Exception {
        Duration kept = Topic.MAIL_DUE.retention().plus(Topic.MAIL_DUE.segmentSpan());
        assertThat(kept.plusMinutes(5 + 1)).isLessThanOrEqualTo(Duration.ofMinutes(15));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestTopic.brokers()))) {
            alter(admin, OpType.SET, SHORTER);
            try {
                String id = account.create("{\"mode\":\"send\",\"send\":{\"to\":\"ada@example.org\",\"subject\":\""
                                + marker + "\"}}")
                        .path("id");
                await().atMost(STEP_TIMEOUT).until(() -> TestTopic.filesWith(Topic.MAIL_DUE.topicName(), marker) > 0);

                account.request().delete("/v1/addresses/" + id).then().statusCode(204);

                await().atMost(STEP_TIMEOUT).until(() -> TestTopic.filesWith(Topic.MAIL_DUE.topicName(), marker) == 0);
                assertThat(TestDatabase.outbox(id)).isZero();
            } finally {
                alter(admin, OpType.SET, 1);
            }
        }
    }

    private static void alter(Admin admin, OpType set, int shorter) throws Exception {
        Map<String, Duration> times = Map.of(
                "retention.ms", Topic.MAIL_DUE.retention(),
                "segment.ms", Topic.MAIL_DUE.segmentSpan(),
                "file.delete.delay.ms", Duration.ofMinutes(1));
        List<AlterConfigOp> changes = times.entrySet().stream()
                .map(time -> new ConfigEntry(
                        time.getKey(), Long.toString(time.getValue().toMillis() / shorter)))
                .map(entry -> new AlterConfigOp(entry, set))
                .toList();
        admin.incrementalAlterConfigs(Map.of(MAIL_DUE, changes)).all().get();
    }
}
