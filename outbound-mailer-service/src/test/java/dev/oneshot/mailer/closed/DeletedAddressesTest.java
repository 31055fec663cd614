package dev.oneshot.mailer.closed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DeletedAddressesTest {

    private static final Instant NOW = Instant.parse("2026-11-20T12:30:00Z");

    private final DeletedAddresses deleted = new DeletedAddresses(3);

    @Test
    void whatWasDeletedIsKnownUntilItExpires() {
        deleted.add("a", NOW.plusSeconds(60), NOW);

        assertThat(deleted.contains("a", NOW.plusSeconds(60))).isTrue();
        assertThat(deleted.contains("b", NOW.plusSeconds(60))).isFalse();
    }

    @Test
    void anHourThatHasPassedIsForgotten() {
        deleted.add("a", NOW.plusSeconds(60), NOW);
        deleted.add("b", NOW.plus(Duration.ofHours(2)), NOW.plus(Duration.ofHours(1)));

        assertThat(deleted.size()).isEqualTo(1);
    }

    @Test
    void whatHasExpiredIsNotRemembered() {
        deleted.add("a", NOW, NOW);

        assertThat(deleted.size()).isZero();
    }

    @Test
    void theBoundHoldsAndForgetsWhatExpiresFirst() {
        for (int hour = 1; hour <= 4; hour++) {
            deleted.add("id" + hour, NOW.plus(Duration.ofHours(hour)), NOW);
        }

        assertThat(deleted.size()).isEqualTo(3);
        assertThat(deleted.contains("id1", NOW.plus(Duration.ofHours(1)))).isFalse();
        assertThat(deleted.contains("id4", NOW.plus(Duration.ofHours(4)))).isTrue();
    }
}
