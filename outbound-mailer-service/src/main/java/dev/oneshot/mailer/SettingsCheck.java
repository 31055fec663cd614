package dev.oneshot.mailer;

import dev.oneshot.contracts.setting.UnknownSettings;
import dev.oneshot.mailer.dkim.DkimConfig;
import dev.oneshot.mailer.relay.RelayConfig;
import dev.oneshot.mailer.sending.MailerConfig;
import dev.oneshot.mailer.sending.RetryConfig;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.config.Config;

/** Stops the start if a setting of this service is misspelt. */
@Startup
@Singleton
final class SettingsCheck {

    SettingsCheck(Config config) {
        UnknownSettings.in(
                        config,
                        List.of(RelayConfig.class, DkimConfig.class, MailerConfig.class, RetryConfig.class),
                        Set.of())
                .ifPresent(message -> {
                    throw new ConfigurationException(message);
                });
    }
}
