package dev.oneshot.expiry;

import dev.oneshot.expiry.partition.PartitionConfig;
import dev.oneshot.expiry.sweep.SweepConfig;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Stops the start if settings are out of bounds, and names all of them.
 *
 * <p>Without Bean Validation, which would take a fifth of this service's start time.
 */
@Startup
@Singleton
public final class SettingBounds {

    private final StringBuilder refused = new StringBuilder();

    SettingBounds(SweepConfig sweep, PartitionConfig partition, StopConfig stop) {
        check("period", sweep.period(), Duration.ofSeconds(1), Duration.ofMinutes(1));
        check("forget-period", sweep.forgetPeriod(), Duration.ofSeconds(1), Duration.ofHours(24));
        check("batch-size", sweep.batchSize(), 1, SweepConfig.BATCH_SIZE_MAX);
        check("batch-bytes", sweep.batchBytes(), 1L, SweepConfig.BATCH_BYTES_MAX);
        check("parallelism", sweep.parallelism(), 1, SweepConfig.PARALLELISM_MAX);
        check("listed-for", sweep.listedFor(), Duration.ofMinutes(1), Duration.ofDays(3650));
        check("settled-sends-kept", sweep.settledSendsKept(), Duration.ofMinutes(1), Duration.ofDays(3650));
        check("partition.period", partition.period(), Duration.ofSeconds(1), Duration.ofHours(1));
        check("partition.ahead", partition.ahead(), Duration.ofHours(25), Duration.ofDays(31));
        check("partition.drop-delay", partition.dropDelay(), Duration.ZERO, Duration.ofHours(24));
        check("partition.lock-timeout", partition.lockTimeout(), Duration.ofMillis(1), Duration.ofSeconds(10));
        check("stop-timeout", stop.stopTimeout(), Duration.ZERO, Duration.ofMinutes(10));
        if (!refused.isEmpty()) {
            throw new ConfigurationException(refused.toString());
        }
    }

    private <T extends Comparable<T>> void check(String key, T value, T min, T max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            refused.append(refused.isEmpty() ? "" : "; ")
                    .append("oneshot.expiry.%s must be between %s and %s, not %s".formatted(key, min, max, value));
        }
    }
}
