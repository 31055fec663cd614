package dev.oneshot.api.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.database.FreshDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Mail that has not been sent when its address is deleted. */
class WithdrawnMailTest {

    private static final String ID = "a".repeat(24);

    private final FreshDatabase database = FreshDatabase.create();
    private final Outbox outbox =
            new Outbox(database.database(), new Settlements(database.database(), new SimpleMeterRegistry()));
    private final UUID account = UUID.randomUUID();
    private final Sending sending =
            new Sending(new TestSendingConfig(1, 1), outbox, new OutboxSignal(), Clock.systemUTC());

    @Test
    void itIsNotSentAndItsEndIsRecordedUnderItsAccount() {
        database.execute("INSERT INTO send_outbox (address_id, value, expires_at, attempts, last_failure, reply_code)"
                + " VALUES ('" + ID + "', '', now() + interval '1 hour', 2, 'REPLY', 450)");

        sending.deleted(account, List.of(ID));

        assertThat(database.number("SELECT count(*) FROM send_outbox")).isZero();
        assertThat(database.number(
                        "SELECT count(*) FROM send_settlement WHERE outcome = 'DELETED' AND account_id = ?"
                                + " AND attempts = 2 AND failure = 'REPLY' AND reply_code = 450",
                        account))
                .isEqualTo(1);
    }
}
