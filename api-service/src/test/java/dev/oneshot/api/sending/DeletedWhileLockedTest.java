package dev.oneshot.api.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.TestTopic;
import dev.oneshot.contracts.event.Topic;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * A request to send that could not be withdrawn when its address was deleted, as a replica was trying to publish it: while
 * Kafka is away, one nearly always is.
 */
@ServiceTest
class DeletedWhileLockedTest {

    @Test
    void itIsNotPublishedAndItsEndIsRecorded() {
        String gone = UUID.randomUUID().toString();

        TestDatabase.update(
                "INSERT INTO outbox (topic, address_id, value, expires_at)"
                        + " VALUES ('mail.requested', ?, 'x', now() + interval '1 hour')",
                gone);

        await().until(() -> TestDatabase.count("SELECT count(*) FROM outbox WHERE address_id = ?", gone) == 0);
        assertThat(TestDatabase.count(
                        "SELECT count(*) FROM send_settlement WHERE outcome = 'DELETED' AND address_id = ?", gone))
                .isEqualTo(1);
        assertThat(TestTopic.read(Topic.MAIL_REQUESTED, gone)).isEmpty();
    }
}
