package dev.oneshot.local.backends.quarkus;

import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.TemporaryBackends;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/**
 * A Kafka broker with all topics, as {@code kafka.bootstrap.servers}, and a key as {@code oneshot.address.keys}. All
 * test classes of the JVM share the topics.
 */
public final class KafkaResource implements QuarkusTestResourceLifecycleManager {

    private static final String SHARED_AS = "oneshot.test.kafka";

    @Override
    public Map<String, String> start() {
        return TestServer.startOnce(SHARED_AS, KafkaResource::startShared).configuration();
    }

    @Override
    public void stop() {
        // The next test class uses it; it ends with the JVM.
    }

    /** Stops the broker, until {@link #startBroker()}. */
    public static void stopBroker() {
        TestServer.started(SHARED_AS).stop().run();
    }

    /** Starts the broker on the same port with the same data. */
    public static void startBroker() {
        TestServer.started(SHARED_AS).start().run();
    }

    private static TestServer startShared() {
        LocalKafka kafka = TemporaryBackends.kafka();
        return new TestServer(Map.of("kafka.bootstrap.servers", kafka.bootstrapServers()), kafka::stop, kafka::start);
    }
}
