package dev.oneshot.ingest.delivery;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each setting of the delivery at its bounds: what is beyond them stops the start, and the message names the key. */
class DeliveryConfigTest {

    private static final int MESSAGE_MAX = 32 * 1024 * 1024;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "request-timeout  | 0s        ",
                "timeout          | 4999ms    ",
                "timeout          | 10m1s     ",
                "buffer-memory    | 35651583  ",
                "buffer-memory    | 2147483648",
                "inline-bytes-max | 16777217  ",
            })
    void valueBeyondABoundIsRefusedByName(String key, String value) {
        assertThatThrownBy(() -> start(key, value))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("oneshot.delivery." + key);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "request-timeout  | 1ms",
                "timeout          | 5s",
                "timeout          | 10m",
                "buffer-memory    | 35651584",
                "buffer-memory    | 2147483647",
                "inline-bytes-max | 0",
                "inline-bytes-max | 16777216",
            })
    void valueAtABoundIsTaken(String key, String value) {
        assertThatCode(() -> start(key, value)).doesNotThrowAnyException();
    }

    private static void start(String key, String value) {
        DeliveryConfig delivery = DeliverySettings.read(Map.of(key, value));
        InboundProducer producer =
                new InboundProducer(DeliverySettings.kafka(Map.of()), delivery, DeliverySettings.policy(MESSAGE_MAX));
        try {
            new KafkaMailDelivery(producer, new FirstMessage(), delivery);
        } finally {
            producer.stop(new ShutdownEvent());
        }
    }
}
