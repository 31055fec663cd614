package dev.oneshot.local.stack;

import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.backends.TemporaryBackends;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a stack.
 *
 * @param project the root of the source tree, with the packaged services
 * @param state the folder of data, secrets and logs
 * @param ports the number of each port
 * @param heap of each service, as {@code -Xmx} takes it; null for each service's own
 * @param services further settings of the services, as environment variables
 */
public record StackSettings(
        Path project,
        Path state,
        Map<Port, Integer> ports,
        @Nullable String heap,
        Map<String, String> services,
        Set<Option> options) {

    /** How a stack differs from others. */
    public enum Option {
        /** PostgreSQL's commits survive a power failure, and {@code ./oneshot up} keeps the data of the last start. */
        DURABLE,
        /** Services run as native binaries instead of on a JVM. */
        NATIVE,
        /** The SMTP server offers STARTTLS with a self-signed certificate. */
        SELF_SIGNED,
        /** JVMs compile with C1 alone: those that live for minutes spend half of their time in C2. */
        QUICK_COMPILER,
        /** Data is deleted when the stack is closed. */
        TEMPORARY
    }

    /** The prefix of all settings' environment variables. */
    static final String PREFIX = "ONESHOT_";

    private static final String HEAP_SETTING = PREFIX + "LOCAL_HEAP";
    private static final String TLS_SETTING = PREFIX + "SMTP_TLS";
    private static final String SELF_SIGNED = "self-signed";
    private static final String DATA_SETTING = PREFIX + "LOCAL_DATA";

    /** Variables that are for the stack alone. */
    private static final List<String> OWN_SETTINGS = Stream.concat(
                    Arrays.stream(Port.values()).map(Port::setting),
                    Stream.of(HEAP_SETTING, TLS_SETTING, DATA_SETTING, DemoAccount.KEY_SETTING))
            .toList();

    /** Variables of clients, which may be set where a stack is started. */
    private static final Set<String> CLIENT_SETTINGS = Set.of(PREFIX + "BASE_URL", PREFIX + "API_KEY");

    private static final int PORT_MAX = 65_535;

    public StackSettings {
        ports = Map.copyOf(ports);
        services = Map.copyOf(services);
        options = Set.copyOf(options);
    }

    /**
     * The settings of {@code ./oneshot up}: state in {@code .oneshot}, default ports unless the environment sets
     * others.
     *
     * @throws StackException if a setting is invalid; the message names it
     */
    static StackSettings ofEnvironment(Path project, Map<String, String> environment) {
        Map<String, String> services = new TreeMap<>(environment);
        services.keySet()
                .removeIf(name ->
                        !name.startsWith(PREFIX) || OWN_SETTINGS.contains(name) || CLIENT_SETTINGS.contains(name));
        services.keySet().forEach(StackSettings::requireRead);
        Map<Port, Integer> ports = new EnumMap<>(Port.class);
        for (Port port : Port.values()) {
            int number = number(port, environment);
            for (Map.Entry<Port, Integer> other : ports.entrySet()) {
                if (other.getValue() == number) {
                    throw new StackException(
                            other.getKey().setting() + " and " + port.setting() + " must not both be " + number);
                }
            }
            ports.put(port, number);
        }
        String heap = environment.get(HEAP_SETTING);
        if (heap != null && !heap.matches("[1-9][0-9]*[mg]")) {
            throw new StackException(HEAP_SETTING + " must be a size as in 512m or 1g, not " + heap);
        }
        String tls = environment.getOrDefault(TLS_SETTING, "");
        if (!tls.isEmpty() && !tls.equals(SELF_SIGNED)) {
            throw new StackException(TLS_SETTING + " must be " + SELF_SIGNED + ", not " + tls
                    + "; docs/operations.md says how to use a certificate of your own");
        }
        String data = environment.getOrDefault(DATA_SETTING, "kept");
        if (!data.equals("kept") && !data.equals("temporary")) {
            throw new StackException(DATA_SETTING + " must be kept or temporary, not " + data);
        }
        String key = environment.getOrDefault(DemoAccount.KEY_SETTING, "");
        if (!key.matches("(oneshot_[0-9A-Za-z]{56})?")) {
            throw new StackException(
                    DemoAccount.KEY_SETTING + " must be oneshot_ and 56 letters and digits, as in an API key");
        }
        Set<Option> options = EnumSet.noneOf(Option.class);
        options.add(data.equals("kept") ? Option.DURABLE : Option.QUICK_COMPILER);
        if (!tls.isEmpty()) {
            options.add(Option.SELF_SIGNED);
        }
        return new StackSettings(project, project.resolve(".oneshot"), ports, heap, services, options);
    }

    /** Settings of a separate stack: free ports and the default heaps. */
    public static StackSettings onFreePorts(Path project, Path state, Option... options) {
        Map<Port, Integer> ports = new EnumMap<>(Port.class);
        for (Port port : Port.values()) {
            ports.put(port, LoopbackPorts.free());
        }
        return new StackSettings(project, state, ports, null, Map.of(), Set.of(options));
    }

    /** These settings with more settings for the services, as environment variables. */
    public StackSettings with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(services);
        all.putAll(more);
        return new StackSettings(project, state, ports, heap, all, options);
    }

    /** Whether a setting lets a service listen on other addresses than 127.0.0.1. */
    boolean isReachable() {
        return Stream.of("HTTP_HOST", "SMTP_HOST", "MANAGEMENT_HOST")
                .anyMatch(host -> services.containsKey(PREFIX + host));
    }

    boolean has(Option option) {
        return options.contains(option);
    }

    /** The largest heap of a service, as {@code -Xmx} takes it. */
    public String heap(Service service) {
        return heap == null ? service.heap() : heap;
    }

    public int port(Port port) {
        return Objects.requireNonNull(ports.get(port));
    }

    /** The file of JVM options that all services share, also in the images. */
    public static Path jvmOptions(Path project) {
        return project.resolve("deploy/images/jvm-options");
    }

    public Path logs() {
        return state.resolve("logs");
    }

    /** Where PostgreSQL is unpacked; stacks of tests share it. */
    Path installations() {
        return has(Option.DURABLE) ? state.resolve("programs") : TemporaryBackends.installations();
    }

    /** Where JVMs keep archives of parsed classes; all stacks of a source tree share them. */
    Path archives() {
        return project.resolve("deploy/local/stack/target/archives");
    }

    /** Each service checks the whole names of its own settings. */
    private static void requireRead(String name) {
        if (Arrays.stream(Service.values()).noneMatch(service -> service.reads(name))) {
            throw new StackException(
                    "no such setting: " + name + "; the local stack itself has " + String.join(", ", OWN_SETTINGS));
        }
    }

    private static int number(Port port, Map<String, String> environment) {
        String value = environment.getOrDefault(port.setting(), Integer.toString(port.byDefault()));
        int number = value.matches("[0-9]{1,5}") ? Integer.parseInt(value) : 0;
        if (number < 1 || number > PORT_MAX) {
            throw new StackException(port.setting() + " must be a port from 1 to 65535, not " + value);
        }
        return number;
    }
}
