package dev.oneshot.local.backends.quarkus;

import dev.oneshot.local.backends.TemporaryBackends;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** A server that all tests of this JVM share. */
final class SharedServer {

    /**
     * By name. Quarkus loads a test resource and its test by different class loaders, each with its own copy of this field. All
     * use the copy of the system's class loader, so values are JDK types.
     */
    static final Map<String, Function<Boolean, Map<String, String>>> SERVERS = new ConcurrentHashMap<>();

    private SharedServer() {}

    /**
     * A function that starts (true) or stops (false) a server, and returns its settings.
     *
     * @param settings with which a service finds it; keys and secrets of tests are added
     */
    static Function<Boolean, Map<String, String>> of(Map<String, String> settings, Runnable start, Runnable stop) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("oneshot.address.keys", TemporaryBackends.ADDRESS_KEY);
        all.put("oneshot.api-key.secrets", TemporaryBackends.API_KEY_SECRET);
        all.put("quarkus.devservices.enabled", "false");
        return running -> {
            (running ? start : stop).run();
            return Map.copyOf(all);
        };
    }

    /** Starts or stops a server, which is made at the first call in this JVM. Returns its settings. */
    static Map<String, String> run(
            String name, boolean running, Supplier<Function<Boolean, Map<String, String>>> made) {
        return servers().computeIfAbsent(name, _ -> made.get()).apply(running);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Function<Boolean, Map<String, String>>> servers() {
        try {
            Class<?> ofTheJvm = ClassLoader.getSystemClassLoader().loadClass(SharedServer.class.getName());
            Field servers = ofTheJvm.getDeclaredField("SERVERS");
            servers.setAccessible(true);
            return (Map<String, Function<Boolean, Map<String, String>>>) servers.get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot share a server", e);
        }
    }
}
