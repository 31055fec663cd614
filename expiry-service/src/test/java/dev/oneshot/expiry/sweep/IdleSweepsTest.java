package dev.oneshot.expiry.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.expiry.RoundsForTest;
import dev.oneshot.expiry.database.CountedStatements;
import dev.oneshot.expiry.database.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

/** The statements when there is nothing to do: two a second, and four a minute. */
class IdleSweepsTest {

    private final TestDatabase database = TestDatabase.create();
    private final CountedStatements statements = new CountedStatements(database);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final SweepSchedule schedule = new SweepSchedule(
            statements.dataSource(), SettingsForTest.batches(500, 8), metrics, RoundsForTest.create());
    private final ExpiryLag lag = new ExpiryLag(statements.dataSource(), metrics);

    @Test
    void anIdlePeriodIsOneStatementForTheSweepAndOneForItsLag() {
        database.insertAddresses("later", 1_000, "1 minute", true);

        assertThat(statements.during(schedule::sweepExpired)).isEqualTo(1);
        assertThat(statements.during(lag::measure)).isEqualTo(1);
    }

    @Test
    void forgettingNothingIsOneStatementForEachKindOfRow() {
        assertThat(statements.during(schedule::sweepOld)).isEqualTo(4);
    }
}
