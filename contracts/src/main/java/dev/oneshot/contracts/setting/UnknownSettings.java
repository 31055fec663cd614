package dev.oneshot.contracts.setting;

import io.smallrye.config.ConfigMappings.ConfigClass;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Finds misspelt settings, which would otherwise have their defaults unnoticed: properties ({@code oneshot.http.port}) and
 * environment variables ({@code ONESHOT_HTTP_PORT}).
 *
 * <p>The first word after {@code oneshot} tells which service a name belongs to. With a word of this service the name must
 * be one of its settings; other words may be another service's.
 */
public final class UnknownSettings {

    /** What Kubernetes adds to an environment for a service called, say, oneshot-smtp. */
    private static final Pattern SERVICE_LINK =
            Pattern.compile(".+_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_.+)?)");

    private static final Pattern SERVICE_LINK_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");
    private static final String VARIABLE_PREFIX = "ONESHOT_";

    private final Names properties;
    private final Names variables;

    /** How names of this service begin, and how they are spelt. */
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
     * Looks at every property and variable there is.
     *
     * @param mappings interfaces of settings; all settings that begin with their words must be among these and {@code more}
     * @param more further properties
     * @return a message that names each unknown setting and its source, or nothing if there is none
     */
    public static Optional<String> in(Config config, Collection<Class<?>> mappings, Collection<String> more) {
        Set<String> settings = new TreeSet<>(more);
        mappings.forEach(mapping ->
                settings.addAll(ConfigClass.configClass(mapping).getProperties().keySet()));
        SortedMap<String, String> unknown = new UnknownSettings(settings).in(config);
        return unknown.isEmpty()
                ? Optional.empty()
                : Optional.of(unknown.entrySet().stream()
                        .map(entry -> entry.getKey() + " is no setting of this service (from " + entry.getValue() + ")")
                        .collect(Collectors.joining("; ")));
    }

    private SortedMap<String, String> in(Config config) {
        SortedMap<String, String> unknown = new TreeMap<>();
        for (ConfigSource source : config.getConfigSources()) {
            boolean environment = source.getName().contains("EnvConfigSource");
            for (String name : source.getPropertyNames()) {
                // An environment also lists guesses at the properties that its variables may stand for.
                boolean variable = name.startsWith(VARIABLE_PREFIX);
                if (variable == environment
                        && (variable ? variables : properties).lack(name)
                        && !(variable && isServiceLink(name, source.getValue(name)))) {
                    unknown.put(name, source.getName());
                }
            }
        }
        return unknown;
    }

    private static boolean isServiceLink(String name, String value) {
        return SERVICE_LINK.matcher(name).matches()
                || (name.endsWith("_PORT")
                        && SERVICE_LINK_ADDRESS.matcher(value).matches());
    }

    /** A star stands for any word that an operator chooses, {@code [*]} for the position in a list. */
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
