package dev.oneshot.ingest.delivery;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.ingest.KafkaConfig;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each setting of the delivery at its bounds: what is beyond them stops the start, and the message names the key. */
class DeliveryConfigTest {

    private static final int MESSAGE_MAX = 32 * 1024 * 1024;
    private static final SmtpPolicy POLICY =
            new SmtpPolicy("mx.example", MESSAGE_MAX, 1, 1, 1, 1, 1_024, 1_000, 1, null);

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
        Map<String, String> settings = new HashMap<>();
        settings.put("oneshot.delivery." + key, value);
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .addDiscoveredConverters()
                .withMapping(DeliveryConfig.class)
                .withMapping(KafkaConfig.class)
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .build();
        DeliveryConfig delivery = config.getConfigMapping(DeliveryConfig.class);
        InboundProducer producer = new InboundProducer(config.getConfigMapping(KafkaConfig.class), delivery, POLICY);
        try {
            new KafkaMailDelivery(producer, new FirstMessage(), delivery);
        } finally {
            producer.stop(new ShutdownEvent());
        }
    }
}
