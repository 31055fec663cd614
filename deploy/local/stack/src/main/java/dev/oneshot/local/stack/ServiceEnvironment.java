package dev.oneshot.local.stack;

import dev.oneshot.local.backends.LocalPostgres;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The environment variables of the services. Each gets only the settings that it reads, so no other service's
 * secrets.
 *
 * @param settings ports and further settings
 * @param secrets shared by the services
 */
record ServiceEnvironment(StackSettings settings, Secrets secrets) {

    /** Needs no quotes in a shell. */
    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]*");

    /** The user with the rights that expiry-service needs, as defined by the migrations. */
    static final String EXPIRY_USER = "oneshot_expiry";

    private static final String LOG_JSON = "QUARKUS_LOG_CONSOLE_JSON_ENABLED";

    /** The file with the variables of a service that the stack runs without. It exists while that stack runs. */
    static Path file(Path state, Service service) {
        return state.resolve(service.module() + ".env");
    }

    /** The variables as lines that a shell and an IDE can read. */
    static String lines(Map<String, String> environment) {
        return new TreeMap<>(environment)
                .entrySet().stream()
                        .map(variable -> variable.getKey() + "=" + quoted(variable.getValue()))
                        .collect(Collectors.joining("\n"));
    }

    private static String quoted(String value) {
        return PLAIN.matcher(value).matches() ? value : "'" + value.replace("'", "'\\''") + "'";
    }

    /** The variables of a service. */
    Map<String, String> of(Service service) {
        Map<String, String> environment = new HashMap<>(settings.services());
        // Text by default, as people read these logs.
        environment.putIfAbsent(LOG_JSON, System.getenv().getOrDefault(LOG_JSON, "false"));
        environment.put("ONESHOT_MANAGEMENT_PORT", Integer.toString(settings.port(service.management())));
        environment.put("ONESHOT_HTTP_PORT", Integer.toString(settings.port(Port.HTTP)));
        environment.put("ONESHOT_SMTP_PORT", Integer.toString(settings.port(Port.SMTP)));
        environment.put("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:" + settings.port(Port.KAFKA));
        if (service == Service.INGEST) {
            // On a new broker, ingest may look for the partitions before the topics exist.
            environment.put("MP_MESSAGING_INCOMING_ADDRESS_CLOSED_METADATA_MAX_AGE_MS", "2000");
        }
        environment.put("ONESHOT_ADDRESS_KEYS", secrets.addressKey());
        environment.put("ONESHOT_OPERATOR_TOKEN", secrets.operatorToken());
        environment.put("ONESHOT_API_KEY_SECRETS", secrets.apiKeySecret());
        boolean asOwner = service == Service.API;
        environment.put("ONESHOT_DATABASE_URL", LocalPostgres.jdbcUrl(settings.port(Port.POSTGRES)));
        environment.put("ONESHOT_DATABASE_USERNAME", asOwner ? LocalPostgres.NAME : EXPIRY_USER);
        environment.put("ONESHOT_DATABASE_PASSWORD", asOwner ? secrets.databasePassword() : secrets.expiryPassword());
        // Tests and benchmarks send from one address, faster than any client on the internet.
        environment.putIfAbsent("ONESHOT_SMTP_MESSAGES_PER_CLIENT_MAX", "0");
        environment.putIfAbsent("ONESHOT_SMTP_UNKNOWN_RECIPIENTS_PER_CLIENT_MAX", "0");
        environment.putIfAbsent("ONESHOT_RELAY_HOST", "127.0.0.1");
        environment.putIfAbsent("ONESHOT_RELAY_PORT", Integer.toString(settings.port(Port.SMTP)));
        environment.putIfAbsent("ONESHOT_RELAY_TLS", "none");
        environment.keySet().removeIf(name -> name.startsWith(StackSettings.PREFIX) && !service.reads(name));
        if (service == Service.INGEST && settings.has(StackSettings.Option.SELF_SIGNED)) {
            environment.putAll(SelfSignedCertificate.settings(settings.state()));
        }
        return environment;
    }
}
