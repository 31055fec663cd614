package dev.oneshot.ingest.configuration;

import dev.oneshot.ingest.delivery.DeliveryConfig;
import dev.oneshot.ingest.recipient.RecipientConfig;
import dev.oneshot.ingest.transport.SmtpConfig;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMappings.ConfigClass;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Stops the start when a setting is misspelt, which would otherwise have its default unnoticed. Looked at are the settings
 * that are of this service alone; {@code oneshot.address} and {@code oneshot.kafka} it shares with others, and all may
 * be in one environment.
 */
@Startup
@Singleton
final class UnknownSettings {

    private static final List<Class<?>> MAPPINGS =
            List.of(SmtpConfig.class, DeliveryConfig.class, RecipientConfig.class);

    // What Kubernetes puts into an environment for a service called, say, oneshot-smtp.
    private static final Pattern SERVICE_LINK =
            Pattern.compile(".+_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_.+)?)");
    // As a start looks at every name there is.
    private static final List<String> BEGINNINGS = Stream.of("smtp", "delivery", "recipient")
            .map(feature -> "oneshot." + feature + '.')
            .flatMap(prefix -> Stream.of(prefix, variable(prefix)))
            .toList();

    private static final Pattern POSITION = Pattern.compile("(\\[[0-9]+]|_[0-9]+_)$");

    UnknownSettings(Config config) {
        Set<String> unknown = unknown(config);
        if (!unknown.isEmpty()) {
            throw new ConfigurationException(unknown.stream()
                    .map(name -> name + " is no setting of this service")
                    .collect(Collectors.joining("; ")));
        }
    }

    private static Set<String> unknown(Config config) {
        Set<String> properties = new TreeSet<>();
        for (Class<?> mapping : MAPPINGS) {
            ConfigClass.configClass(mapping)
                    .getProperties()
                    .keySet()
                    .forEach(name -> properties.add(withoutPosition(name)));
        }
        Set<String> variables =
                properties.stream().map(UnknownSettings::variable).collect(Collectors.toSet());
        Set<String> unknown = new TreeSet<>();
        for (ConfigSource source : config.getConfigSources()) {
            boolean isEnvironment = source.getName().contains("EnvConfigSource");
            for (String name : source.getPropertyNames()) {
                // Of the environment only the variables as they are: their names as properties are guesses.
                boolean isVariable = name.startsWith("ONESHOT_");
                if (isVariable == isEnvironment
                        && isOurs(name)
                        && !(isVariable ? variables : properties).contains(withoutPosition(name))) {
                    unknown.add(name);
                }
            }
        }
        return unknown;
    }

    private static boolean isOurs(String name) {
        return BEGINNINGS.stream().anyMatch(name::startsWith)
                && !SERVICE_LINK.matcher(name).matches();
    }

    private static String withoutPosition(String name) {
        return POSITION.matcher(name.replaceAll("\\[\\*]$", "")).replaceAll("");
    }

    private static String variable(String property) {
        return property.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }
}
