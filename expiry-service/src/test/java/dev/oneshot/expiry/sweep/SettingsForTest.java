package dev.oneshot.expiry.sweep;

import java.time.Duration;

/** Settings of a test. */
record SettingsForTest(int batchSize, long batchBytes, int parallelism, Duration listedFor) implements SweepConfig {

    private static final long MANY_BYTES = 1_000_000;

    static SettingsForTest batches(int batchSize, int parallelism) {
        return new SettingsForTest(batchSize, MANY_BYTES, parallelism, Duration.ofDays(30));
    }

    static SettingsForTest batchesOfBytes(long batchBytes) {
        return new SettingsForTest(100, batchBytes, 1, Duration.ofDays(30));
    }

    SettingsForTest(int batchSize, int parallelism, Duration listedFor) {
        this(batchSize, MANY_BYTES, parallelism, listedFor);
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
