package dev.oneshot.local.backends.quarkus;

import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.TemporaryBackends;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;
import java.util.function.Function;

/**
 * A Kafka broker with all topics, as {@code kafka.bootstrap.servers}, and a key as {@code oneshot.address.keys}. All
 * test classes of the JVM share the topics.
 */
public final class KafkaResource implements QuarkusTestResourceLifecycleManager {

    @Override
    public Map<String, String> start() {
        return run(true);
    }

    @Override
    public void stop() {
        // The next test class uses it; it ends with the JVM.
    }

    /** Stops the broker, until {@link #startBroker()}. */
    public static void stopBroker() {
        var _ = run(false);
    }

    /** Starts the broker on the same port with the same data. */
    public static void startBroker() {
        var _ = run(true);
    }

    private static Map<String, String> run(boolean running) {
        return SharedServer.run("kafka", running, KafkaResource::make);
    }

    private static Function<Boolean, Map<String, String>> make() {
        LocalKafka kafka = TemporaryBackends.kafka();
        Map<String, String> settings = Map.of("kafka.bootstrap.servers", kafka.bootstrapServers());
        return SharedServer.of(settings, kafka::start, kafka::stop);
    }
}
