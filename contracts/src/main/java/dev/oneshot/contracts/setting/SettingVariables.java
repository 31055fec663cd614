package dev.oneshot.contracts.setting;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The environment variables of a service's settings: {@code ONESHOT_RELAY_HOST} of {@code oneshot.relay.host}. */
public final class SettingVariables {

    // What Kubernetes puts into an environment for a service that is called oneshot-expiry-something.
    private static final Pattern SERVICE_LINK =
            Pattern.compile(".+_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_.+)?)?)");

    private SettingVariables() {}

    /**
     * Finds variables that look like settings and are none, which would otherwise have their defaults unnoticed.
     *
     * @param names of properties and variables, as they are in the environment; what Kubernetes adds for its services is none of them
     * @param prefixes properties that begin with one of these, each with a dot at its end, are this service's alone
     * @param settings all properties with those prefixes that there are; none of them is a list or a map
     * @return those among the names that begin like variables of such settings, in their order
     */
    public static SortedSet<String> misspelt(
            Iterable<String> names, Collection<String> prefixes, Collection<String> settings) {
        List<String> ours = prefixes.stream().map(SettingVariables::variable).toList();
        Set<String> known = settings.stream().map(SettingVariables::variable).collect(Collectors.toSet());
        SortedSet<String> misspelt = new TreeSet<>();
        for (String name : names) {
            if (ours.stream().anyMatch(name::startsWith)
                    && !known.contains(name)
                    && !SERVICE_LINK.matcher(name).matches()) {
                misspelt.add(name);
            }
        }
        return misspelt;
    }

    private static String variable(String property) {
        return property.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }
}
