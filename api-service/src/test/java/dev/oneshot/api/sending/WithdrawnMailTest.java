package dev.oneshot.api.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.contracts.event.AddressClosed;
import io.quarkus.runtime.configuration.MemorySize;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What becomes of a mail that has not left when its address is deleted. */
class WithdrawnMailTest {

    private static final String ID = "a".repeat(24);

    private record Config(int attachmentsMax, int outboxBatch, MemorySize outboxMemory, Duration outboxInterval)
            implements SendingConfig {}

    private final FreshDatabase database = FreshDatabase.create();
    private final UUID account = UUID.randomUUID();
    private final Sending sending = new Sending(
            new Config(1, 1, new MemorySize(BigInteger.ONE), Duration.ofSeconds(1)),
            new OutboxSignal(),
            Clock.systemUTC());

    @Test
    void itIsNotSentAndItsEndIsRecordedUnderItsAccount() {
        database.execute("INSERT INTO outbox (topic, address_id, value, expires_at)" + " VALUES ('mail.requested', '"
                + ID + "', '', now() + interval '1 hour')");

        AddressClosed closed = new AddressClosed(
                ID, AddressClosed.Reason.DELETED, Instant.now().plusSeconds(3600));

        database.database().transaction(connection -> {
            sending.deleted(connection, account, List.of(ID), List.of(closed));
            return ID;
        });

        assertThat(database.number("SELECT count(*) FROM outbox WHERE topic = 'mail.requested'"))
                .isZero();
        assertThat(database.number("SELECT count(*) FROM outbox WHERE topic = 'address.closed'"))
                .isEqualTo(1);
        assertThat(database.number(
                        "SELECT count(*) FROM send_settlement WHERE outcome = 'DELETED' AND account_id = ?", account))
                .isEqualTo(1);
    }
}
