package dev.oneshot.local.stack;

import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.backends.TemporaryBackends;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a stack.
 *
 * @param project the root of the source tree, with the packaged services
 * @param state the folder of data, secrets and logs
 * @param ports the number of each port
 * @param heap of each service, as {@code -Xmx} takes it; null for each service's own
 * @param durable whether PostgreSQL's commits survive a power failure
 * @param services further settings of the services, as environment variables
 * @param binaries whether services run as native binaries instead of on a JVM
 * @param selfSigned whether the SMTP server offers STARTTLS with a self-signed certificate
 * @param quickCompiler whether JVMs compile with C1 alone
 */
public record StackSettings(
        Path project,
        Path state,
        Map<Port, Integer> ports,
        @Nullable String heap,
        boolean durable,
        Map<String, String> services,
        boolean binaries,
        boolean selfSigned,
        boolean quickCompiler) {

    /** The prefix of all settings' environment variables. */
    static final String PREFIX = "ONESHOT_";

    private static final String HEAP_SETTING = PREFIX + "LOCAL_HEAP";
    private static final String TLS_SETTING = PREFIX + "SMTP_TLS";
    private static final String SELF_SIGNED = "self-signed";
    /** Variables of clients, which may be set where a stack is started. */
    private static final Set<String> CLIENT_SETTINGS = Set.of(PREFIX + "BASE_URL", PREFIX + "API_KEY");

    private static final int PORT_MAX = 65_535;

    public StackSettings {
        ports = Map.copyOf(ports);
        services = Map.copyOf(services);
    }

    /**
     * The settings of {@code ./oneshot up}: state in {@code .oneshot}, default ports unless the environment sets
     * others.
     *
     * @throws StackException if a setting is invalid; the message names it
     */
    static StackSettings ofEnvironment(Path project, Map<String, String> environment) {
        requireKnown(environment);
        Map<Port, Integer> ports = new EnumMap<>(Port.class);
        for (Port port : Port.values()) {
            String value = environment.get(port.setting());
            int number = value == null ? port.byDefault() : parse(port, value);
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
        Map<String, String> services = new HashMap<>(environment);
        services.keySet().removeIf(name -> !name.startsWith(PREFIX) || isOwn(name));
        return new StackSettings(
                project, project.resolve(".oneshot"), ports, heap, true, services, false, !tls.isEmpty(), false);
    }

    /** Settings of a separate stack for tests: free ports and the default heaps. */
    public static StackSettings onFreePorts(Path project, Path state) {
        Map<Port, Integer> ports = new EnumMap<>(Port.class);
        for (Port port : Port.values()) {
            int number = LoopbackPorts.free();
            while (ports.containsValue(number)) {
                number = LoopbackPorts.free();
            }
            ports.put(port, number);
        }
        return new StackSettings(project, state, ports, null, false, Map.of(), false, false, false);
    }

    /** These settings with one more setting for the services. */
    public StackSettings with(String environmentVariable, String value) {
        Map<String, String> more = new HashMap<>(services);
        more.put(environmentVariable, value);
        return new StackSettings(project, state, ports, heap, durable, more, binaries, selfSigned, quickCompiler);
    }

    /** These settings with native binaries or without. */
    public StackSettings withBinaries(boolean wanted) {
        return new StackSettings(project, state, ports, heap, durable, services, wanted, selfSigned, quickCompiler);
    }

    /** These settings for tests: JVMs that live for minutes spend half of their time in the optimizing compiler. */
    public StackSettings withQuickCompiler() {
        return new StackSettings(project, state, ports, heap, durable, services, binaries, selfSigned, true);
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
        return durable ? state.resolve("programs") : TemporaryBackends.installations();
    }

    /** Where JVMs keep archives of parsed classes; stacks of tests share them, as they start services often. */
    Path archives() {
        return durable ? state.resolve("programs") : project.resolve("deploy/local/stack/target/archives");
    }

    /** Rejects variables that no service reads. Each service checks the whole names of its own. */
    private static void requireKnown(Map<String, String> environment) {
        Stream<String> own =
                Stream.concat(Arrays.stream(Port.values()).map(Port::setting), Stream.of(HEAP_SETTING, TLS_SETTING));
        environment.keySet().stream()
                .filter(name -> name.startsWith(PREFIX)
                        && !isOwn(name)
                        && Arrays.stream(Service.values()).noneMatch(service -> service.reads(name)))
                .sorted()
                .findFirst()
                .ifPresent(name -> {
                    throw new StackException("no such setting: " + name + "; the local stack itself has "
                            + own.collect(Collectors.joining(", ")));
                });
    }

    /** Whether this is not for the services: a setting of the stack itself or of a client. */
    private static boolean isOwn(String name) {
        return CLIENT_SETTINGS.contains(name)
                || name.equals(HEAP_SETTING)
                || name.equals(TLS_SETTING)
                || Arrays.stream(Port.values()).anyMatch(port -> port.setting().equals(name));
    }

    private static int parse(Port port, String value) {
        try {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= PORT_MAX) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new StackException(port.setting() + " must be a port from 1 to 65535, not " + value, e);
        }
        throw new StackException(port.setting() + " must be a port from 1 to 65535, not " + value);
    }
}
