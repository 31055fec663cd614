package dev.oneshot.local.backends.quarkus;

import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.TemporaryBackends;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/**
 * A Kafka broker with all topics for the tests of this JVM, as {@code oneshot.kafka.bootstrap-servers}; also an
 * {@code oneshot.address.keys} to sign with. Every test class of the JVM meets the same topics.
 */
public final class KafkaResource implements QuarkusTestResourceLifecycleManager {

    private static final String SHARED_AS = "oneshot.test.kafka";

    @Override
    public Map<String, String> start() {
        return TestServer.startOnce(SHARED_AS, KafkaResource::startShared).configuration();
    }

    @Override
    public void stop() {
        // It stays for the next test class and ends with the JVM.
    }

    /** Takes the broker away, until {@link #startBroker()}. */
    public static void stopBroker() {
        TestServer.started(SHARED_AS).stop().run();
    }

    /** Brings the broker back, on the same port with the same data. */
    public static void startBroker() {
        TestServer.started(SHARED_AS).start().run();
    }

    private static TestServer startShared() {
        LocalKafka kafka = TemporaryBackends.kafka();
        return new TestServer(
                Map.of("oneshot.kafka.bootstrap-servers", kafka.bootstrapServers()), kafka::stop, kafka::start);
    }
}
