package dev.oneshot.api.configuration;

import dev.oneshot.api.account.ApiKeyConfig;
import dev.oneshot.api.account.KeyCacheConfig;
import dev.oneshot.api.account.PlanConfig;
import dev.oneshot.api.account.UnknownKeyConfig;
import dev.oneshot.api.address.AddressConfig;
import dev.oneshot.api.database.DatabaseConfig;
import dev.oneshot.api.http.HttpConfig;
import dev.oneshot.api.idempotency.IdempotencyConfig;
import dev.oneshot.api.inbox.InboxConfig;
import dev.oneshot.api.kafka.KafkaConfig;
import dev.oneshot.api.migration.MigrationConfig;
import dev.oneshot.api.operator.OperatorConfig;
import dev.oneshot.api.ratelimit.RateLimitConfig;
import dev.oneshot.api.sending.SendingConfig;
import io.smallrye.config.ConfigMappings.ConfigClass;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The names of this service's settings, as properties ({@code oneshot.http.port}) and as environment variables
 * ({@code ONESHOT_HTTP_PORT}).
 *
 * <p>The first word after {@code oneshot} tells whose a name is: with one of ours it must be a setting of ours, or it is
 * misspelt. All others may be another service's, as all of them may share one environment.
 */
final class SettingNames {

    /** Each feature's settings. */
    static final List<Class<?>> MAPPINGS = List.of(
            AddressConfig.class,
            ApiKeyConfig.class,
            DatabaseConfig.class,
            HttpConfig.class,
            IdempotencyConfig.class,
            InboxConfig.class,
            KafkaConfig.class,
            KeyCacheConfig.class,
            MigrationConfig.class,
            OperatorConfig.class,
            PlanConfig.class,
            RateLimitConfig.class,
            SendingConfig.class,
            UnknownKeyConfig.class);

    /** Settings that only {@code application.properties} and schedules refer to. */
    static final Set<String> UNMAPPED = Set.of(
            "oneshot.account.removals-every",
            "oneshot.database.connections",
            "oneshot.database.password",
            "oneshot.database.url",
            "oneshot.database.username",
            "oneshot.http.host",
            "oneshot.http.port",
            "oneshot.inbox.partitions-every",
            "oneshot.management.host",
            "oneshot.management.port");

    /** What Kubernetes puts into every environment for each of its services, unless it is told not to. */
    private static final Pattern SERVICE_LINK =
            Pattern.compile(".+_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_.+)?)");

    private static final Pattern NOT_IN_A_VARIABLE = Pattern.compile("[^A-Z0-9]");

    private final Known properties = new Known();
    private final Known variables = new Known();
    private final Set<String> ownedProperties = new TreeSet<>();
    private final Set<String> ownedVariables = new TreeSet<>();

    SettingNames() {
        Set<String> names = new TreeSet<>(UNMAPPED);
        MAPPINGS.forEach(type ->
                names.addAll(ConfigClass.configClass(type).getProperties().keySet()));
        names.forEach(this::add);
    }

    /** Whether this is a setting of ours, or none of our business. */
    boolean isSane(String name) {
        return name.startsWith("ONESHOT_")
                ? SERVICE_LINK.matcher(name).matches() || isSane(name, ownedVariables, variables)
                : isSane(name, ownedProperties, properties);
    }

    private static boolean isSane(String name, Set<String> owned, Known known) {
        return owned.stream().noneMatch(name::startsWith) || known.contains(name);
    }

    /** A star stands for any word that an operator chooses; brackets for the place in a list. */
    private void add(String nameWithPlace) {
        String name = nameWithPlace.replaceAll("\\[\\*]$", "");
        StringBuilder property = new StringBuilder();
        StringBuilder variable = new StringBuilder();
        for (String word : name.split("\\.", -1)) {
            property.append(property.isEmpty() ? "" : "\\.").append(word.equals("*") ? ".+" : Pattern.quote(word));
            variable.append(variable.isEmpty() ? "" : "_").append(word.equals("*") ? ".+" : variable(word));
        }
        properties.add(name, property + "(\\[[0-9]+])?");
        variables.add(variable(name), variable + "(_[0-9]+_?)?");
        String[] words = name.split("\\.", 3);
        if (words.length == 3) {
            ownedProperties.add(words[0] + "." + words[1] + ".");
            ownedVariables.add("ONESHOT_" + variable(words[1]) + "_");
        }
    }

    private static String variable(String word) {
        return NOT_IN_A_VARIABLE.matcher(word.toUpperCase(Locale.ROOT)).replaceAll("_");
    }

    /** Nearly all names are given as they are, and a start looks at all of them: patterns are for the others. */
    private static final class Known {

        private final Set<String> names = new HashSet<>();
        private final List<Pattern> patterns = new ArrayList<>();

        void add(String name, String pattern) {
            names.add(name);
            patterns.add(Pattern.compile(pattern));
        }

        boolean contains(String name) {
            return names.contains(name)
                    || patterns.stream()
                            .anyMatch(pattern -> pattern.matcher(name).matches());
        }
    }
}
