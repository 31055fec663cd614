package dev.oneshot.api.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.TestBean;
import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.contracts.event.LeaseExtended;
import dev.oneshot.contracts.event.MailDeferred;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.SendBounced;
import dev.oneshot.contracts.trace.RecordSpans;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import jakarta.enterprise.event.Event;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which rows are leased, and when. */
class OutboxTest {

    private static final long BYTES_MAX = 1_000;
    private static final Duration LEASE = Duration.ofMinutes(25);

    private final FreshDatabase database = FreshDatabase.create();

    @SuppressWarnings("unchecked")
    private final Outbox outbox = new Outbox(
            database.database(),
            new Settlements(database.database(), new SimpleMeterRegistry()),
            TestBean.unused(Event.class),
            new RecordSpans(OpenTelemetry.noop().getTracer("test")),
            Clock.systemUTC());

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

    @Test
    void aLeaseThatHasEndedHoldsNoPlaceInTheWindow() {
        add("a", "now()");
        add("b", "now()");
        assertThat(lease(10, 1)).hasSize(1);
        database.execute("UPDATE send_outbox SET leased_until = now() - interval '1 second'"
                + " WHERE leased_until IS NOT NULL");

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

        assertThat(outbox.withEndedLease()).isPresent();
        assertThat(release(Instant.now().minusSeconds(90))).isZero();
        assertThat(release(Instant.now())).isEqualTo(1);
        await().untilAsserted(() -> assertThat(lease(10, 10)).containsExactly("a"));
    }

    @Test
    void theOlderARequestWithoutAResultTheLaterItIsDueAgain() {
        add("a", "now()");
        lease(10, 10);
        database.execute("UPDATE send_outbox SET leased_until = now() - interval '1 second',"
                + " created_at = now() - interval '20 minutes'");

        release(Instant.now());

        assertThat(database.number("SELECT extract(epoch FROM due_at - now())::bigint FROM send_outbox"))
                .isBetween(290L, 301L);
    }

    @Test
    void anExtendedLeaseIsNotReleasedAndADeferralNamesItsNewEnd() {
        add("a", "now()");
        Instant first = leasedUntil();
        Instant next = first.plusSeconds(30);
        outbox.extend(List.of(new LeaseExtended("a", first, next)));
        outbox.extend(List.of(new LeaseExtended("a", first, first.plusSeconds(90))));

        assertThat(release(first.plusSeconds(1))).isZero();
        defer(first);
        assertThat(database.number("SELECT count(*) FROM send_outbox WHERE leased_until IS NULL"))
                .isZero();
        defer(next);
        assertThat(database.number("SELECT count(*) FROM send_outbox WHERE leased_until IS NULL"))
                .isEqualTo(1);
    }

    @Test
    void aWithdrawnRequestIsNotSentAndItsEndIsRecordedUnderItsAccount() {
        UUID account = UUID.randomUUID();
        add("a", "now()");
        database.execute("UPDATE send_outbox SET attempts = 2, last_failure = 'REPLY', reply_code = 450");

        outbox.withdraw(account, List.of("a"));

        assertThat(database.number("SELECT count(*) FROM send_outbox")).isZero();
        assertThat(database.number(
                        "SELECT count(*) FROM send_settlement WHERE outcome = 'DELETED' AND account_id = ?"
                                + " AND attempts = 2 AND failure = 'REPLY' AND reply_code = 450",
                        account))
                .isEqualTo(1);
    }

    private Instant leasedUntil() {
        return database.transaction(() -> outbox.lease(10, LEASE, 10, BYTES_MAX))
                .getFirst()
                .lease()
                .until();
    }

    private void defer(Instant leasedUntil) {
        MailDeferred event = new MailDeferred(
                "a", leasedUntil, MailSettled.Failure.CONNECTION, null, 1, leasedUntil.plusSeconds(15));
        outbox.defer(List.of(event));
    }

    @Test
    void bounceOfTheRecipientIsRecordedWithTheEndOfTheRequest() {
        add("a", "now()");
        add("b", "now()");
        String sql = "UPDATE send_outbox SET recipient_digest = ? WHERE address_id = ?";
        database.execute(sql, RecipientDigest.of("a", "a@b.example"), "a");
        database.execute(sql, RecipientDigest.of("b", "a@b.example"), "b");
        Map<String, String> failed = Map.of("A@b.example", "5.1.1", "c@b.example", "5.2.2");
        Instant now = Instant.now();

        outbox.bounced(new SendBounced("a", failed, now));
        outbox.bounced(new SendBounced("b", Map.of("c@b.example", "5.2.2"), now));
        database.execute("UPDATE send_outbox SET expires_at = now()");
        outbox.expire(2);

        assertThat(database.number("SELECT count(*) FROM send_settlement WHERE address_id = 'a'"
                        + " AND outcome = 'BOUNCED' AND enhanced_status = '5.1.1' AND recipient_digest IS NOT NULL"))
                .isEqualTo(1);
        assertThat(database.number(
                        "SELECT count(*) FROM send_settlement WHERE address_id = 'b' AND outcome = 'EXPIRED'"))
                .isEqualTo(1);
    }

    private void add(String id, String dueAt) {
        database.execute("INSERT INTO send_outbox (address_id, value, expires_at, due_at) VALUES ('" + id
                + "', '', now() + interval '1 hour', " + dueAt + ")");
    }

    private List<String> lease(int batch, int window) {
        return database.transaction(() -> outbox.lease(window, LEASE, batch, BYTES_MAX)).stream()
                .map(Outbox.Leased::addressId)
                .toList();
    }

    private int release(Instant before) {
        return database.transaction(() -> outbox.release(before));
    }
}
