package dev.oneshot.expiry.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class SweeperMetricsTest {

    @Test
    void failuresAreCountedFromZeroSoThatTheFirstIsAnIncrease() {
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();

        Sweeper sweeper = new Sweeper(
                new PGSimpleDataSource(),
                new ExpiredAddresses(SettingsForTest.batches(10, 1)),
                SettingsForTest.batches(10, 1),
                metrics);

        assertThat(metrics.get("oneshot.expiry.failures")
                        .tag("task", sweeper.name())
                        .counter()
                        .count())
                .isZero();
    }
}
