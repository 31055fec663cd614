package dev.oneshot.local.backends.quarkus;

import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.TemporaryBackends;
import java.util.Map;
import java.util.function.Function;

/**
 * A Kafka broker with all topics, as {@code kafka.bootstrap.servers}, and a key as {@code oneshot.address.keys}. All
 * test classes of the JVM share the topics.
 */
public final class KafkaResource extends SharedServer {

    /** Stops the broker, until {@link #startBroker()}. */
    public static void stopBroker() {
        var _ = new KafkaResource().run(false);
    }

    /** Starts the broker on the same port with the same data. */
    public static void startBroker() {
        var _ = new KafkaResource().run(true);
    }

    @Override
    Function<Boolean, Map<String, String>> make() {
        LocalKafka kafka = TemporaryBackends.kafka();
        Map<String, String> settings = Map.of("kafka.bootstrap.servers", kafka.bootstrapServers());
        return of(settings, kafka::start, kafka::stop);
    }
}
