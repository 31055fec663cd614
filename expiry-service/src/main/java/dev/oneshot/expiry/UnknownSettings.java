package dev.oneshot.expiry;

import dev.oneshot.expiry.partition.PartitionConfig;
import dev.oneshot.expiry.sweep.SweepConfig;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMappings.ConfigClass;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;

/**
 * Stops the start when a variable of this service is misspelt, which would otherwise have its default unnoticed. Misspelt
 * properties are found by SmallRye; settings with other beginnings may be another service's.
 */
@Startup
@Singleton
final class UnknownSettings {

    private static final String OURS = "ONESHOT_EXPIRY_";

    // What Kubernetes puts into an environment for a service that is called oneshot-expiry-something.
    private static final Pattern SERVICE_LINK =
            Pattern.compile(".+_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_.+)?)?)");

    UnknownSettings(Config config) {
        Set<String> known = Stream.of(SweepConfig.class, PartitionConfig.class, StopConfig.class)
                .flatMap(mapping -> ConfigClass.configClass(mapping).getProperties().keySet().stream())
                .map(UnknownSettings::variable)
                .collect(Collectors.toSet());
        Set<String> unknown = new TreeSet<>();
        for (String name : config.getPropertyNames()) {
            if (name.startsWith(OURS)
                    && !known.contains(name)
                    && !SERVICE_LINK.matcher(name).matches()) {
                unknown.add(name);
            }
        }
        if (!unknown.isEmpty()) {
            throw new ConfigurationException(unknown.stream()
                    .map(name -> name + " is no setting of this service")
                    .collect(Collectors.joining("; ")));
        }
    }

    private static String variable(String property) {
        return property.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }
}
