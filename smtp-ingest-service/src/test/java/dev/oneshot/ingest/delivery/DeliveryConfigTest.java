package dev.oneshot.ingest.delivery;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each property of the producer at its bounds. A value beyond them stops the start, and the message names the key. */
class DeliveryConfigTest {

    private static final int MESSAGE_MAX = 32 * 1024 * 1024;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "request.timeout.ms  | 0          | 1         ",
                "delivery.timeout.ms | 4999       | 5000      ",
                "delivery.timeout.ms | 600001     | 600000    ",
                "delivery.timeout.ms | 10s        | 10000     ",
                "buffer.memory       | 41943039   | 41943040  ",
                "buffer.memory       | 2147483648 | 2147483647",
            })
    void valueAtABoundIsTakenAndOneBeyondItIsRefusedByName(String key, String beyond, String at) {
        assertThatThrownBy(() -> check(key, beyond))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("mp.messaging.outgoing.mail-inbound." + key + " must be ");
        assertThatCode(() -> check(key, at)).doesNotThrowAnyException();
    }

    private static void check(String key, String value) {
        Map<String, String> properties = new HashMap<>(
                Map.of("request.timeout.ms", "5000", "delivery.timeout.ms", "10000", "buffer.memory", "41943040"));
        properties.put(key, value);
        InboundProducerSettings.checked(properties, MESSAGE_MAX);
    }
}
