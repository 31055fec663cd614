package dev.oneshot.expiry;

import static dev.oneshot.contracts.setting.ValidSetting.between;

import dev.oneshot.contracts.setting.UnknownSettings;
import dev.oneshot.expiry.partition.PartitionConfig;
import dev.oneshot.expiry.sweep.SweepConfig;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.config.Config;

/** Stops the start if a setting of this service is misspelt or out of bounds. */
@Startup
@Singleton
public final class SettingsCheck {

    /** Each feature's settings. */
    static final List<Class<?>> MAPPINGS = List.of(SweepConfig.class, PartitionConfig.class, StopConfig.class);

    private static final String KEY = "oneshot.expiry.";

    SettingsCheck(Config config, SweepConfig sweep, PartitionConfig partition, StopConfig stop) {
        UnknownSettings.reject(config, MAPPINGS, Set.of());
        between(KEY + "period", sweep.period(), Duration.ofSeconds(1), Duration.ofMinutes(1));
        between(KEY + "forget-period", sweep.forgetPeriod(), Duration.ofSeconds(1), Duration.ofHours(24));
        between(KEY + "batch-size", sweep.batchSize(), 1, SweepConfig.BATCH_SIZE_MAX);
        between(KEY + "batch-bytes", sweep.batchBytes(), 1L, SweepConfig.BATCH_BYTES_MAX);
        between(KEY + "parallelism", sweep.parallelism(), 1, SweepConfig.PARALLELISM_MAX);
        between(KEY + "listed-for", sweep.listedFor(), Duration.ofMinutes(1), Duration.ofDays(3650));
        between(KEY + "settled-sends-kept", sweep.settledSendsKept(), Duration.ofMinutes(1), Duration.ofDays(3650));
        between(KEY + "partition.period", partition.period(), Duration.ofSeconds(1), Duration.ofHours(1));
        between(KEY + "partition.ahead", partition.ahead(), Duration.ofHours(25), Duration.ofDays(31));
        between(KEY + "partition.drop-delay", partition.dropDelay(), Duration.ZERO, Duration.ofHours(24));
        between(KEY + "partition.lock-timeout", partition.lockTimeout(), Duration.ofMillis(1), Duration.ofSeconds(10));
        between(KEY + "stop-timeout", stop.stopTimeout(), Duration.ZERO, Duration.ofMinutes(10));
    }
}
