package dev.oneshot.contracts.setting;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMappings.ConfigClass;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Finds misspelt settings, which would otherwise silently have their defaults: properties ({@code
 * oneshot.http.port}) and environment variables ({@code ONESHOT_HTTP_PORT}).
 *
 * <p>The first word after {@code oneshot} names the service that a setting belongs to. A name with a word of this
 * service must be one of its settings; other words may belong to another service.
 */
public final class UnknownSettings {

    private static final String VARIABLE_PREFIX = "ONESHOT_";

    private final Names properties;
    private final Names variables;

    /** First words of this service's names, and the pattern of its known names. */
    private record Names(Set<String> beginnings, Pattern known) {

        boolean lack(String name) {
            return beginnings.stream().anyMatch(name::startsWith)
                    && !known.matcher(name).matches();
        }
    }

    private UnknownSettings(Set<String> settings) {
        Set<String> features = settings.stream()
                .map(name -> name.split("\\.", 3))
                .filter(words -> words.length == 3)
                .map(words -> words[0] + '.' + words[1] + '.')
                .collect(Collectors.toSet());
        properties = new Names(features, known(settings, false));
        variables = new Names(
                features.stream().map(UnknownSettings::variable).collect(Collectors.toSet()), known(settings, true));
    }

    /**
     * Stops the start of a service at unknown properties and variables.
     *
     * @param mappings interfaces of settings: a setting that begins with their first words must be in them or in
     *     {@code more}
     * @param more further properties
     * @throws ConfigurationException naming each unknown setting with its source
     */
    public static void reject(Config config, Collection<Class<?>> mappings, Collection<String> more) {
        Set<String> settings = new TreeSet<>(more);
        mappings.forEach(mapping ->
                settings.addAll(ConfigClass.configClass(mapping).getProperties().keySet()));
        SortedMap<String, String> unknown = new UnknownSettings(settings).in(config);
        if (!unknown.isEmpty()) {
            throw new ConfigurationException(unknown.entrySet().stream()
                    .map(entry -> entry.getKey() + " is no setting of this service (from " + entry.getValue() + ")")
                    .collect(Collectors.joining("; ")));
        }
    }

    private SortedMap<String, String> in(Config config) {
        SortedMap<String, String> unknown = new TreeMap<>();
        for (ConfigSource source : config.getConfigSources()) {
            boolean environment = source.getName().contains("EnvConfigSource");
            for (String name : source.getPropertyNames()) {
                // The source of variables also lists the properties that these may stand for.
                boolean variable = name.startsWith(VARIABLE_PREFIX);
                if (variable == environment && (variable ? variables : properties).lack(name)) {
                    unknown.put(name, source.getName());
                }
            }
        }
        return unknown;
    }

    /** A star stands for any one word, {@code [*]} for an index of a list. */
    private static Pattern known(Set<String> settings, boolean asVariables) {
        String position = asVariables ? "(_[0-9]+_)?" : "(\\[[0-9]+])?";
        return Pattern.compile(settings.stream()
                .map(name -> {
                    String plain = name.replaceAll("\\[\\*]$", "");
                    String spelt =
                            Pattern.quote(asVariables ? variable(plain) : plain).replace("*", "\\E.+\\Q");
                    return plain.equals(name) ? spelt : spelt + position;
                })
                .collect(Collectors.joining("|")));
    }

    private static String variable(String property) {
        return property.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9*]", "_");
    }
}
