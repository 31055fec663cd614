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
     * By name, in types of the JDK. Quarkus loads a test resource and its test by different class loaders, which have
     * fields of their own; all use that of the system's class loader.
     */
    static final Map<String, Function<Boolean, Map<String, String>>> SERVERS = new ConcurrentHashMap<>();

    private SharedServer() {}

    /**
     * A server in types of the JDK.
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
