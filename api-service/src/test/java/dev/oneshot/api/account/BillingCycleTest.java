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
import org.junit.jupiter.params.provider.CsvFileSource;

class BillingCycleTest {

    @ParameterizedTest
    @CsvFileSource(resources = "/account/billing-cycles.txt")
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
