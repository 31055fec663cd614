package dev.oneshot.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.SmallRyeConfigBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestSpansTest {

    @ParameterizedTest
    @CsvSource({
        "'', '', false",
        "'', always_on, false",
        "http://collector:4318, '', true",
        "http://collector:4318, traceidratio, true",
        "http://collector:4318, always_off, false",
    })
    void requestsHaveSpansOnlyIfTheyMayBeRecorded(String endpoint, String sampler, boolean haveSpans) {
        var config = new SmallRyeConfigBuilder()
                .withInterceptors(new RequestSpans())
                .withDefaultValue("oneshot.tracing.endpoint", endpoint)
                .withDefaultValue("oneshot.tracing.sampler", sampler)
                .build();

        assertThat(config.getValue("quarkus.otel.instrument.vertx-http", boolean.class))
                .isEqualTo(haveSpans);
        assertThat(config.getValue("quarkus.datasource.jdbc.telemetry.enabled", boolean.class))
                .isEqualTo(haveSpans);
    }
}
