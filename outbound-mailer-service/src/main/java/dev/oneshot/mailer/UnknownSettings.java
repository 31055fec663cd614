package dev.oneshot.mailer;

import dev.oneshot.contracts.setting.SettingVariables;
import dev.oneshot.mailer.dkim.DkimConfig;
import dev.oneshot.mailer.relay.RelayConfig;
import dev.oneshot.mailer.sending.MailerConfig;
import dev.oneshot.mailer.sending.RetryConfig;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMappings.ConfigClass;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;

/**
 * Stops the start when a variable of this service is misspelt: {@code ONESHOT_RELAY_USER} would otherwise be a relay that
 * nobody logs in to. Misspelt properties are found by SmallRye; settings with other beginnings may be another service's.
 */
@Startup
@Singleton
final class UnknownSettings {

    private static final List<String> PREFIXES = List.of("oneshot.relay.", "oneshot.dkim.", "oneshot.mailer.");

    UnknownSettings(Config config) {
        Set<String> settings = Stream.of(RelayConfig.class, DkimConfig.class, MailerConfig.class, RetryConfig.class)
                .flatMap(mapping -> ConfigClass.configClass(mapping).getProperties().keySet().stream())
                .collect(Collectors.toSet());
        Set<String> misspelt = SettingVariables.misspelt(config.getPropertyNames(), PREFIXES, settings);
        if (!misspelt.isEmpty()) {
            throw new ConfigurationException(misspelt.stream()
                    .map(name -> name + " is no setting of this service")
                    .collect(Collectors.joining("; ")));
        }
    }
}
