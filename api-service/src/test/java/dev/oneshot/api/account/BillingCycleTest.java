package dev.oneshot.api.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BillingCycleTest {

    @ParameterizedTest
    @CsvSource({
        // The first day, the last instant of the cycle, and the first of the next.
        "2026-01-15T10:00:00Z, 2026-01-15T10:00:00Z, 0, 2026-02-15T10:00:00Z",
        "2026-01-15T10:00:00Z, 2026-02-15T09:59:59.999999999Z, 0, 2026-02-15T10:00:00Z",
        "2026-01-15T10:00:00Z, 2026-02-15T10:00:00Z, 1, 2026-03-15T10:00:00Z",
        // Clients get whole seconds; the cycle ends no later.
        "2026-01-15T10:00:00.999999Z, 2026-02-15T09:59:59.999999Z, 0, 2026-02-15T10:00:00Z",
        "2026-01-15T10:00:00.999999Z, 2026-02-15T10:00:00Z, 1, 2026-03-15T10:00:00Z",
        // In shorter months the 31st is the last day, afterwards it is the 31st again.
        "2026-01-31T08:00:00Z, 2026-02-28T07:59:59Z, 0, 2026-02-28T08:00:00Z",
        "2026-01-31T08:00:00Z, 2026-02-28T08:00:00Z, 1, 2026-03-31T08:00:00Z",
        "2026-01-31T08:00:00Z, 2026-03-31T08:00:00Z, 2, 2026-04-30T08:00:00Z",
        "2026-01-31T08:00:00Z, 2026-04-30T08:00:00Z, 3, 2026-05-31T08:00:00Z",
        // Leap years, and a century that is no leap year.
        "2028-01-30T00:00:00Z, 2028-02-29T00:00:00Z, 1, 2028-03-30T00:00:00Z",
        "2028-02-29T12:00:00Z, 2029-02-28T12:00:00Z, 12, 2029-03-29T12:00:00Z",
        "2096-02-29T12:00:00Z, 2100-02-28T12:00:00Z, 48, 2100-03-29T12:00:00Z",
        // Years without requests.
        "2026-01-31T08:00:00Z, 2036-01-31T07:59:59Z, 119, 2036-01-31T08:00:00Z",
        "2026-01-31T08:00:00Z, 2036-01-31T08:00:00Z, 120, 2036-02-29T08:00:00Z",
        // A clock that is behind.
        "2026-01-15T10:00:00Z, 2026-01-15T09:59:59Z, 0, 2026-02-15T10:00:00Z",
        "2026-03-31T10:00:00Z, 2025-01-01T00:00:00Z, 0, 2026-04-30T10:00:00Z",
    })
    void cycleIsTheMonthFromTheDayOfCreation(Instant created, Instant now, int number, Instant ends) {
        assertThat(BillingCycle.at(created, now)).isEqualTo(new BillingCycle(number, ends));
    }

    @Property
    void nowLiesWithinTheCycle(@ForAll("instants") Instant created, @ForAll("ages") long seconds) {
        Instant now = created.plusSeconds(seconds);

        BillingCycle cycle = BillingCycle.at(created, now);

        ZonedDateTime anchor = created.atZone(ZoneOffset.UTC);
        assertThat(cycle.ends())
                .isAfter(now)
                .isEqualTo(anchor.plusMonths(cycle.number() + 1L).toInstant());
        assertThat(anchor.plusMonths(cycle.number()).toInstant()).isBeforeOrEqualTo(now);
    }

    @Property
    void nextCycleBeginsWhereOneEnds(@ForAll("instants") Instant created, @ForAll("ages") long seconds) {
        BillingCycle cycle = BillingCycle.at(created, created.plusSeconds(seconds));

        assertThat(BillingCycle.at(created, cycle.ends()).number()).isEqualTo(cycle.number() + 1);
        assertThat(BillingCycle.at(created, cycle.ends().minusNanos(1)).number())
                .isEqualTo(cycle.number());
    }

    @Provide
    Arbitrary<Instant> instants() {
        return Arbitraries.longs()
                .between(
                        Instant.parse("2020-01-01T00:00:00Z").getEpochSecond(),
                        Instant.parse("2110-01-01T00:00:00Z").getEpochSecond())
                .map(Instant::ofEpochSecond);
    }

    @Provide
    Arbitrary<Long> ages() {
        return Arbitraries.longs().between(0, 30L * 366 * 86_400);
    }
}
