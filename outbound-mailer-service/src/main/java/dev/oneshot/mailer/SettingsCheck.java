package dev.oneshot.mailer;

import dev.oneshot.contracts.setting.UnknownSettings;
import dev.oneshot.contracts.trace.TracingConfig;
import dev.oneshot.mailer.dkim.DkimConfig;
import dev.oneshot.mailer.relay.RelayConfig;
import dev.oneshot.mailer.sending.MailerConfig;
import dev.oneshot.mailer.sending.RetryConfig;
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
    static final List<Class<?>> MAPPINGS =
            List.of(RelayConfig.class, DkimConfig.class, MailerConfig.class, RetryConfig.class, TracingConfig.class);

    SettingsCheck(Config config) {
        UnknownSettings.reject(config, MAPPINGS, Set.of());
    }
}
