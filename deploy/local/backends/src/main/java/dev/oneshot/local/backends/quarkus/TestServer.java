package dev.oneshot.local.backends.quarkus;

import dev.oneshot.local.backends.TemporaryBackends;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/**
 * A server that all tests of this JVM share.
 *
 * <p>Quarkus loads a test resource and its test by different class loaders, so they would have two copies of a static
 * field. So the server is kept in the JVM's MBean server, as types of the JDK. Libraries such as Narayana fail on
 * system properties that are no strings.
 *
 * @param configuration with which a service finds it
 * @param stop stops it
 * @param start starts it again
 */
record TestServer(Map<String, String> configuration, Runnable stop, Runnable start) {

    private static final MBeanServer SHARED = ManagementFactory.getPlatformMBeanServer();

    /** The server of this name, started at the first call in this JVM. */
    static TestServer startOnce(String name, Supplier<TestServer> starter) {
        synchronized (SHARED) {
            if (!SHARED.isRegistered(objectName(name))) {
                share(name, starter.get());
            }
            return started(name);
        }
    }

    /**
     * The server of this name.
     *
     * @throws IllegalStateException if no test resource has started it
     */
    @SuppressWarnings("unchecked")
    static TestServer started(String name) {
        try {
            Object[] parts = (Object[]) SHARED.invoke(objectName(name), "get", new Object[0], new String[0]);
            return new TestServer((Map<String, String>) parts[0], (Runnable) parts[1], (Runnable) parts[2]);
        } catch (JMException e) {
            throw new IllegalStateException(
                    "not started: add its resource to the test class with @WithTestResource", e);
        }
    }

    // A class literal cannot express the supplied type.
    @SuppressWarnings("rawtypes")
    private static void share(String name, TestServer server) {
        Map<String, String> configuration = new HashMap<>(server.configuration);
        configuration.put("oneshot.address.keys", TemporaryBackends.ADDRESS_KEY);
        configuration.put("oneshot.api-key.secrets", TemporaryBackends.API_KEY_SECRET);
        configuration.put("quarkus.devservices.enabled", "false");
        Object[] parts = {Map.copyOf(configuration), server.stop, server.start};
        Supplier holder = () -> parts;
        try {
            SHARED.registerMBean(new StandardMBean(holder, Supplier.class), objectName(name));
        } catch (JMException e) {
            throw new IllegalStateException("cannot share " + name, e);
        }
    }

    private static ObjectName objectName(String name) {
        try {
            return new ObjectName(name, "type", "TestServer");
        } catch (JMException e) {
            throw new IllegalArgumentException(name, e);
        }
    }
}
