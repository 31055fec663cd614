package dev.oneshot.expiry.sweep;

import java.time.Duration;

/** Settings as a test wants them. */
record SettingsForTest(int batchSize, int parallelism, Duration listedFor) implements SweepConfig {

    static SettingsForTest batches(int batchSize, int parallelism) {
        return new SettingsForTest(batchSize, parallelism, Duration.ofDays(30));
    }

    @Override
    public Duration period() {
        return Duration.ofSeconds(1);
    }

    @Override
    public Duration forgetPeriod() {
        return Duration.ofMinutes(1);
    }

    @Override
    public Duration settledSendsKept() {
        return listedFor;
    }
}
