package dev.oneshot.api.sending;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.contracts.event.Topic;
import io.restassured.http.ContentType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;

@ServiceTest
class DueMailsTest {

    private static final Duration STEP_TIMEOUT = Duration.ofSeconds(60);
    private static final ConfigResource MAIL_DUE =
            new ConfigResource(ConfigResource.Type.TOPIC, Topic.MAIL_DUE.topicName());
    /** The topic's times are this many times shorter than in docs/privacy.md. */
    private static final int SHORTER = 60;

    private final DueMails dueMails;
    private final TestAccount account = TestAccount.onPlan("pro");
    private final String marker = "marker-" + UUID.randomUUID();

    DueMailsTest(DueMails dueMails) {
        this.dueMails = dueMails;
    }

    /** No mail is due, so only the probe changes the time. A late probe starts it again at zero. */
    @Test
    void kafkaIsProbedWhileNoMailIsDue() {
        Set<Duration> reached = new HashSet<>();

        await().atMost(STEP_TIMEOUT).until(() -> {
            reached.add(dueMails.reachedFor());
            return reached.size() > 4;
        });
    }

    /** Nothing follows it in its partition. Kafka's check and its deletion of files take 5 min and 1 min by default. */
    @Test
    void contentLeavesKafkasFilesWithin15MinutesOfItsPublication() throws Exception {
        Duration kept = Topic.MAIL_DUE.retention().plus(Topic.MAIL_DUE.segmentSpan());
        assertThat(kept.plusMinutes(5 + 1)).isLessThanOrEqualTo(Duration.ofMinutes(15));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", setting("kafka.bootstrap.servers")))) {
            alter(admin, OpType.SET, SHORTER);
            try {
                String id = send();
                await().atMost(STEP_TIMEOUT).until(() -> filesWithMarker(admin) > 0);

                account.request().delete("/v1/addresses/" + id).then().statusCode(204);

                await().atMost(STEP_TIMEOUT).until(() -> filesWithMarker(admin) == 0);
                assertThat(TestDatabase.count("SELECT count(*) FROM send_outbox WHERE address_id = ?", id))
                        .isZero();
            } finally {
                alter(admin, OpType.SET, 1);
            }
        }
    }

    private static String setting(String name) {
        return ConfigProvider.getConfig().getValue(name, String.class);
    }

    private String send() {
        return account.request()
                .contentType(ContentType.JSON)
                .body("{\"mode\":\"send\",\"send\":{\"to\":\"ada@example.org\",\"subject\":\"" + marker + "\"}}")
                .post("/v1/addresses")
                .then()
                .statusCode(201)
                .extract()
                .path("id");
    }

    private static void alter(Admin admin, OpType set, int shorter) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        MAIL_DUE,
                        List.of(
                                new AlterConfigOp(millis("retention.ms", Topic.MAIL_DUE.retention(), shorter), set),
                                new AlterConfigOp(millis("segment.ms", Topic.MAIL_DUE.segmentSpan(), shorter), set),
                                new AlterConfigOp(
                                        millis("file.delete.delay.ms", Duration.ofMinutes(1), shorter), set))))
                .all()
                .get();
    }

    private static ConfigEntry millis(String name, Duration time, int shorter) {
        return new ConfigEntry(name, Long.toString(time.toMillis() / shorter));
    }

    /** Also files that are renamed for deletion. */
    private long filesWithMarker(Admin admin) throws Exception {
        Path logs = Path.of(admin.describeLogDirs(List.of(1))
                .allDescriptions()
                .get()
                .values()
                .iterator()
                .next()
                .keySet()
                .iterator()
                .next());
        try (Stream<Path> files = Files.find(
                logs,
                2,
                (file, attributes) -> attributes.isRegularFile()
                        && logs.relativize(file).toString().startsWith(Topic.MAIL_DUE.topicName() + "-"))) {
            return files.filter(this::hasMarker).count();
        } catch (UncheckedIOException e) {
            // A file was deleted in the meantime.
            return filesWithMarker(admin);
        }
    }

    private boolean hasMarker(Path file) {
        try {
            return Files.readString(file, ISO_8859_1).contains(marker);
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
