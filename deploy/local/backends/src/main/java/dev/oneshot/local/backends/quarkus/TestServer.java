package dev.oneshot.local.backends.quarkus;

import dev.oneshot.local.backends.TemporaryBackends;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A server that all tests of this JVM share.
 *
 * <p>Quarkus loads a test resource and the test that talks about it through different class loaders, so a static field
 * would be two. What is shared therefore lies in the system properties, as types of the JDK.
 *
 * @param configuration what a service needs to find it
 * @param stop takes it away
 * @param start brings it back
 */
record TestServer(Map<String, String> configuration, Runnable stop, Runnable start) {

    /** The server of this name, started at the first call in this JVM. */
    static TestServer startOnce(String name, Supplier<TestServer> starter) {
        synchronized (System.getProperties()) {
            if (!System.getProperties().containsKey(name)) {
                TestServer server = starter.get();
                Map<String, String> configuration = new HashMap<>(server.configuration);
                configuration.put("oneshot.address.keys", TemporaryBackends.ADDRESS_KEY);
                configuration.put("quarkus.devservices.enabled", "false");
                System.getProperties().put(name, new Object[] {Map.copyOf(configuration), server.stop, server.start});
            }
            return started(name);
        }
    }

    /**
     * The server of this name.
     *
     * @throws IllegalStateException if no test resource has started it
     */
    static TestServer started(String name) {
        if (System.getProperties().get(name) instanceof Object[] parts
                && parts[0] instanceof Map<?, ?> shared
                && parts[1] instanceof Runnable stop
                && parts[2] instanceof Runnable start) {
            Map<String, String> configuration = new HashMap<>();
            shared.forEach((key, value) -> configuration.put((String) key, (String) value));
            return new TestServer(configuration, stop, start);
        }
        throw new IllegalStateException("not started: add its resource to the test class with @WithTestResource");
    }
}
