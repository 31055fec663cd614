package dev.oneshot.api.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BillingCycleTest {

    private static final long CENTURY_SECONDS = 3_155_760_000L;

    @ParameterizedTest
    @CsvSource({
        "2026-01-15T10:00:00Z, 2026-01-15T10:00:00Z, 0, 2026-02-15T10:00:00Z",
        "2026-01-15T10:00:00Z, 2026-02-15T09:59:59Z, 0, 2026-02-15T10:00:00Z",
        "2026-01-15T10:00:00Z, 2026-02-15T10:00:00Z, 1, 2026-03-15T10:00:00Z",
        "2026-01-31T10:00:00Z, 2026-02-28T09:59:59Z, 0, 2026-02-28T10:00:00Z",
        "2026-01-31T10:00:00Z, 2026-02-28T10:00:00Z, 1, 2026-03-31T10:00:00Z",
        "2026-01-31T10:00:00Z, 2026-03-30T10:00:00Z, 1, 2026-03-31T10:00:00Z",
        "2026-01-31T10:00:00Z, 2026-03-31T10:00:00Z, 2, 2026-04-30T10:00:00Z",
        "2028-01-31T00:00:00Z, 2028-02-29T00:00:00Z, 1, 2028-03-31T00:00:00Z",
        "2028-02-29T12:00:00Z, 2029-02-28T12:00:00Z, 12, 2029-03-29T12:00:00Z",
        "2026-12-31T23:59:59Z, 2027-01-31T23:59:59Z, 1, 2027-02-28T23:59:59Z",
        "2020-05-05T00:00:00Z, 2030-05-04T23:59:59Z, 119, 2030-05-05T00:00:00Z",
    })
    void monthsAreCountedFromTheDayOfCreationClampedToTheMonth(Instant created, Instant now, int number, Instant ends) {
        assertThat(BillingCycle.at(created, now)).isEqualTo(new BillingCycle(number, ends));
    }

    @Property
    void cycleContainsNowAndTheNextOneBeginsWhereItEnds(
            @ForAll @LongRange(max = CENTURY_SECONDS) long created,
            @ForAll @LongRange(max = CENTURY_SECONDS) long later) {
        Instant from = Instant.ofEpochSecond(created);
        Instant now = from.plusSeconds(later);

        BillingCycle cycle = BillingCycle.at(from, now);

        assertThat(cycle.ends()).isAfter(now);
        assertThat(BillingCycle.at(from, cycle.ends()).number()).isEqualTo(cycle.number() + 1);
        assertThat(BillingCycle.at(from, cycle.ends().minusNanos(1))).isEqualTo(cycle);
        LocalDate day = LocalDate.ofInstant(from, ZoneOffset.UTC);
        LocalDate end = LocalDate.ofInstant(cycle.ends(), ZoneOffset.UTC);
        assertThat(end.getDayOfMonth()).isEqualTo(Math.min(day.getDayOfMonth(), end.lengthOfMonth()));
    }
}
