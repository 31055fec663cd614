package dev.oneshot.local.backends.quarkus;

import dev.oneshot.local.backends.TemporaryBackends;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A server that all tests of this JVM share, as a test resource. */
abstract class SharedServer implements QuarkusTestResourceLifecycleManager {

    /**
     * The servers by class name. Quarkus loads a test resource and its test with different class loaders, each with its own copy of
     * this field. All use the copy of the system class loader, so the types are the JDK's.
     */
    static final Map<String, Function<Boolean, Map<String, String>>> SERVERS = new ConcurrentHashMap<>();

    @Override
    public final Map<String, String> start() {
        return run(true);
    }

    @Override
    public final void stop() {
        // The next test class uses it; it ends with the JVM.
    }

    /** Makes the server with {@link #of}. Called once in this JVM. */
    abstract Function<Boolean, Map<String, String>> make();

    /** Starts or stops the server, which all instances of this class share. Returns its settings. */
    final Map<String, String> run(boolean running) {
        return servers().computeIfAbsent(getClass().getName(), _ -> make()).apply(running);
    }

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
