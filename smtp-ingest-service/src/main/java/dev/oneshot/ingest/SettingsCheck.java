package dev.oneshot.ingest;

import dev.oneshot.contracts.setting.UnknownSettings;
import dev.oneshot.contracts.trace.TracingConfig;
import dev.oneshot.ingest.authentication.AuthenticationConfig;
import dev.oneshot.ingest.authentication.DnsConfig;
import dev.oneshot.ingest.delivery.DeliveryConfig;
import dev.oneshot.ingest.net.SmtpConfig;
import dev.oneshot.ingest.recipient.RecipientConfig;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.config.Config;

/** Stops the start if a setting of this service is misspelt. */
@Startup
@Singleton
final class SettingsCheck {

    /** The settings of all features except address ids, whose prefix has more settings in api-service. */
    static final List<Class<?>> MAPPINGS = List.of(
            SmtpConfig.class,
            DeliveryConfig.class,
            RecipientConfig.class,
            AuthenticationConfig.class,
            DnsConfig.class,
            TracingConfig.class);

    SettingsCheck(Config config) {
        UnknownSettings.reject(config, MAPPINGS, Set.of());
    }
}
