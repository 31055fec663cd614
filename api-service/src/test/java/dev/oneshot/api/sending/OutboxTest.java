package dev.oneshot.api.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.database.FreshDatabase;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is leased, and when. */
class OutboxTest {

    private final FreshDatabase database = FreshDatabase.create();

    @Test
    void theLongestDueIsLeasedFirstAndNothingTwice() {
        add("second", "now() - interval '1 second'");
        add("first", "now() - interval '2 seconds'");
        add("later", "now() + interval '1 minute'");

        assertThat(lease(1, 10)).containsExactly("first");
        assertThat(lease(10, 10)).containsExactly("second");
        assertThat(lease(10, 10)).isEmpty();
    }

    @Test
    void noMoreIsLeasedThanTheWindowHolds() {
        add("a", "now()");
        add("b", "now()");
        add("c", "now()");

        assertThat(lease(10, 2)).hasSize(2);
        assertThat(lease(10, 2)).isEmpty();
    }

    /** Its record has left Kafka, so the mailers are at it, or will never be. */
    @Test
    void aLeaseThatIsOlderThanTheRecordsOfTheTopicHoldsNoPlaceInTheWindow() {
        add("a", "now()");
        add("b", "now()");
        assertThat(lease(10, 1)).hasSize(1);
        database.execute("UPDATE send_outbox SET leased_until = leased_until - interval '7 minutes'");

        assertThat(lease(10, 1)).hasSize(1);
    }

    @Test
    void oneRequestIsLeasedHoweverLargeAndNoMoreThanFit() {
        database.execute("INSERT INTO send_outbox (address_id, value, expires_at, due_at) VALUES"
                + " ('a', repeat('x', 2000)::bytea, now() + interval '1 hour', now() - interval '2 seconds'),"
                + " ('b', repeat('x', 2000)::bytea, now() + interval '1 hour', now() - interval '1 second')");

        assertThat(lease(10, 10)).containsExactly("a");
    }

    @Test
    void onlyLeasesThatEndedBeforeAreReleased() {
        add("a", "now()");
        add("b", "now()");
        lease(10, 10);
        database.execute("UPDATE send_outbox SET leased_until = now() - interval '1 minute' WHERE address_id = 'a'");

        assertThat(database.database().statement(Outbox::withEndedLease)).isPresent();
        assertThat(release(Instant.now().minusSeconds(90))).isZero();
        assertThat(release(Instant.now())).isEqualTo(1);
        assertThat(lease(10, 10)).containsExactly("a");
    }

    /** As by a replica of the version before, which does not know the table. */
    @Test
    void whatIsSettledIsNotReleased() {
        add("a", "now()");
        lease(10, 10);
        database.execute("UPDATE send_outbox SET leased_until = now() - interval '1 minute'");
        database.execute("INSERT INTO send_settlement (address_id, outcome, attempts, settled_at)"
                + " VALUES ('a', 'RELAYED', 1, now())");

        assertThat(release(Instant.now())).isZero();
        assertThat(database.number("SELECT count(*) FROM send_outbox")).isZero();
    }

    private void add(String id, String dueAt) {
        database.execute("INSERT INTO send_outbox (address_id, value, expires_at, due_at) VALUES ('" + id
                + "', '', now() + interval '1 hour', " + dueAt + ")");
    }

    private List<String> lease(int batch, int window) {
        return database
                .database()
                .transaction(connection -> Outbox.lease(connection, new TestSendingConfig(batch, window)))
                .stream()
                .map(Outbox.Leased::addressId)
                .toList();
    }

    private int release(Instant before) {
        return database.database().transaction(connection -> Outbox.release(connection, before));
    }
}
