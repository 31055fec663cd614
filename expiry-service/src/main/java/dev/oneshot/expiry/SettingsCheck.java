package dev.oneshot.expiry;

import dev.oneshot.contracts.setting.UnknownSettings;
import dev.oneshot.expiry.partition.PartitionConfig;
import dev.oneshot.expiry.sweep.SweepConfig;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.config.Config;

/** Stops the start if a setting of this service is misspelt. */
@Startup
@Singleton
final class SettingsCheck {

    /** Each feature's settings. */
    static final List<Class<?>> MAPPINGS = List.of(SweepConfig.class, PartitionConfig.class, StopConfig.class);

    SettingsCheck(Config config) {
        UnknownSettings.reject(config, MAPPINGS, Set.of());
    }
}
