package dev.oneshot.api.sending;

import static dev.oneshot.contracts.event.MailSettled.Outcome.BOUNCED;
import static dev.oneshot.contracts.event.MailSettled.Outcome.EXPIRED;
import static dev.oneshot.contracts.event.MailSettled.Outcome.REFUSED;
import static dev.oneshot.contracts.event.MailSettled.Outcome.RELAYED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.MailSettled.Outcome;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which of two results of one request is kept. */
class SettlementsTest {

    private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = FIRST.plusSeconds(1);

    private final FreshDatabase database = FreshDatabase.create();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

    @Test
    void whatWasRelayedStaysRelayed() {
        record(RELAYED, FIRST);

        record(EXPIRED, LATER);
        record(REFUSED, LATER);

        assertThat(recorded(RELAYED)).isEqualTo(1);
    }

    @Test
    void bounceReplacesRelayedAndStays() {
        record(RELAYED, FIRST);

        bounce("5.1.1");
        bounce("4.4.7");
        record(RELAYED, LATER);
        record(EXPIRED, LATER);

        assertThat(recorded(BOUNCED)).isEqualTo(1);
        assertThat(database.number("SELECT count(*) FROM send_settlement WHERE enhanced_status = '5.1.1'"))
                .isEqualTo(1);
        assertThat(bouncesCounted()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"DELETED", "EXPIRED"})
    void bounceReplacesDeletedOrExpired(Outcome end) {
        record(end, FIRST);

        bounce("5.1.1");
        record(RELAYED, LATER);

        assertThat(recorded(BOUNCED)).isEqualTo(1);
    }

    @Test
    void bounceOfWhatWasRefusedChangesNothing() {
        bounce("5.1.1");
        record(REFUSED, FIRST);

        bounce("5.1.1");

        assertThat(recorded(REFUSED)).isEqualTo(1);
        assertThat(bouncesCounted()).isZero();
    }

    @Test
    void bounceOfARecipientCountsIfItIsThatOfTheMail() {
        Settlements settlements = new Settlements(database.database(), metrics);
        settlements.record(
                List.of(new MailSettled("a", RELAYED, null, null, 1, FIRST, FIRST)), null, Map.of("a", "recipient"));

        settlements.bounced("a", List.of("other"), List.of("5.2.2"));
        assertThat(recorded(RELAYED)).isEqualTo(1);
        settlements.record(List.of(new MailSettled("a", RELAYED, null, null, 1, FIRST, LATER)), null, Map.of());
        settlements.bounced("a", List.of("other", "recipient"), List.of("5.2.2", "5.1.1"));

        assertThat(recorded(BOUNCED)).isEqualTo(1);
        assertThat(database.number("SELECT count(*) FROM send_settlement WHERE enhanced_status = '5.1.1'"))
                .isEqualTo(1);
        assertThat(bouncesCounted()).isEqualTo(1);
    }

    private void bounce(String status) {
        new Settlements(database.database(), metrics).bounced("a", List.of("recipient"), List.of(status));
    }

    private void record(Outcome outcome, Instant at) {
        new Settlements(database.database(), metrics)
                .record(
                        List.of(new MailSettled("a", outcome, null, null, 1, FIRST, at)),
                        null,
                        Map.of("a", "recipient"));
    }

    private double bouncesCounted() {
        return metrics.get("oneshot.sends.settled")
                .tag("outcome", "bounced")
                .counter()
                .count();
    }

    private long recorded(Outcome outcome) {
        return database.number("SELECT count(*) FROM send_settlement WHERE outcome = ?", outcome.name());
    }
}
