package dev.oneshot.local.stack;

import dev.oneshot.local.backends.LoopbackPorts;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a stack is started with.
 *
 * @param project the root of the source tree, with the packaged services
 * @param state where data, secrets and logs are kept
 * @param ports a number for each port
 * @param heap of each service, as {@code -Xmx} takes it; null for what each has by itself
 * @param durable whether PostgreSQL's commits outlive a power cut
 * @param services settings of the services, as environment variables, besides those that hold the stack together
 * @param binaries whether the services are started from native binaries instead of on a JVM
 */
public record StackSettings(
        Path project,
        Path state,
        Map<Port, Integer> ports,
        @Nullable String heap,
        boolean durable,
        Map<String, String> services,
        boolean binaries) {

    private static final String LOCAL = "ONESHOT_LOCAL_";
    private static final String HEAP_SETTING = LOCAL + "HEAP";
    private static final int PORT_MAX = 65_535;

    public StackSettings {
        ports = Map.copyOf(ports);
        services = Map.copyOf(services);
    }

    /**
     * The stack of {@code ./oneshot up}: state in {@code .oneshot}, ports as documented unless the environment names
     * others.
     *
     * @throws StackException if a setting has no sensible value; the message names it
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
        return new StackSettings(project, project.resolve(".oneshot"), ports, heap, true, Map.of(), false);
    }

    /** A stack of its own, for tests: free ports, the heaps of the documented one. */
    public static StackSettings onFreePorts(Path project, Path state) {
        Map<Port, Integer> ports = new EnumMap<>(Port.class);
        for (Port port : Port.values()) {
            int number = LoopbackPorts.free();
            while (ports.containsValue(number)) {
                number = LoopbackPorts.free();
            }
            ports.put(port, number);
        }
        return new StackSettings(project, state, ports, null, false, Map.of(), false);
    }

    /** The same with one more setting for the services. */
    public StackSettings with(String environmentVariable, String value) {
        Map<String, String> more = new HashMap<>(services);
        more.put(environmentVariable, value);
        return new StackSettings(project, state, ports, heap, durable, more, binaries);
    }

    /** The same with services from native binaries, or not. */
    StackSettings withBinaries(boolean wanted) {
        return new StackSettings(project, state, ports, heap, durable, services, wanted);
    }

    /** The largest heap of a service, as {@code -Xmx} takes it. */
    public String heap(Service service) {
        return heap == null ? service.heap() : heap;
    }

    public int port(Port port) {
        return Objects.requireNonNull(ports.get(port));
    }

    /** The file of options that every service's JVM is started with, here as in the images. */
    public static Path jvmOptions(Path project) {
        return project.resolve("deploy/images/jvm-options");
    }

    Path logs() {
        return state.resolve("logs");
    }

    /** The services look for misspelt settings of their own; these are none of theirs. */
    private static void requireKnown(Map<String, String> environment) {
        List<String> known = Stream.concat(Arrays.stream(Port.values()).map(Port::setting), Stream.of(HEAP_SETTING))
                .filter(name -> name.startsWith(LOCAL))
                .toList();
        environment.keySet().stream()
                .filter(name -> name.startsWith(LOCAL) && !known.contains(name))
                .sorted()
                .findFirst()
                .ifPresent(name -> {
                    throw new StackException("no such setting: " + name + "; there are " + String.join(", ", known));
                });
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
