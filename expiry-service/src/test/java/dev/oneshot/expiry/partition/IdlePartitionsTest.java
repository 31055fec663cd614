package dev.oneshot.expiry.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.expiry.RoundsForTest;
import dev.oneshot.expiry.SettingsReader;
import dev.oneshot.expiry.database.CountedStatements;
import dev.oneshot.expiry.database.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

/** The statements of a round that has nothing to do: four every ten seconds. */
class IdlePartitionsTest {

    private final CountedStatements statements = new CountedStatements(TestDatabase.create());
    private final PartitionSchedule schedule = new PartitionSchedule(
            new MailPartitions(statements.dataSource()),
            SettingsReader.read("oneshot.expiry.partition.period", "10s").getConfigMapping(PartitionConfig.class),
            new SimpleMeterRegistry(),
            RoundsForTest.create());

    @Test
    void anIdlePeriodIsOneStatementEachToCreateToAttachToDropAndToCount() {
        schedule.createAhead();

        assertThat(statements.during(schedule::createAhead)).isEqualTo(2);
        assertThat(statements.during(schedule::dropExpired)).isEqualTo(2);
    }
}
