package dev.oneshot.contracts.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TracingSamplerTest {

    private static final Map<String, String> ENDPOINT = Map.of("oneshot.tracing.endpoint", "http://collector:4317");
    /** The ratio takes the last 63 bits for a number. This is nearly the largest, so that only the ratio 1 includes it. */
    private static final String LAST = "7ffffffffffffff0".repeat(2);

    @ParameterizedTest
    @CsvSource({
        // sampler, ratio, flag of the client's traceparent if it sends one, whether the trace is recorded
        "parentbased_traceidratio, 1, '', true",
        "parentbased_traceidratio, 1, 00, false",
        "parentbased_traceidratio, 0, '', false",
        "parentbased_traceidratio, 0, 01, true",
        "parentbased_always_on, 0, '', true",
        "parentbased_always_on, 0, 00, false",
        "traceidratio, 1, 00, true",
        "traceidratio, 0.999, 01, false",
        "always_on, 0, 00, true",
        "always_off, 1, 01, false",
    })
    void samplerDecidesWhichTracesAreRecorded(String sampler, String ratio, String flag, boolean isRecorded) {
        TracingSampler sampling = sampler(with(ENDPOINT, "sampler", sampler, "ratio", ratio));

        assertThat(isRecorded(sampling, flag, SpanKind.SERVER)).isEqualTo(isRecorded);
    }

    @Test
    void withoutACollectorNothingIsRecorded() {
        assertThat(isRecorded(sampler(Map.of("oneshot.tracing.sampler", "always_on")), "01", SpanKind.SERVER))
                .isFalse();
    }

    @Test
    void aStatementIsRecordedOnlyInATrace() {
        TracingSampler sampler = sampler(ENDPOINT);

        assertThat(isRecorded(sampler, "01", SpanKind.CLIENT)).isTrue();
        assertThat(isRecorded(sampler, "", SpanKind.CLIENT)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "endpoint, collector:4317",
        "endpoint, ftp://collector",
        "protocol, http",
        "sampler, always",
        "ratio, 1.01",
        "ratio, -0.01"
    })
    void anInvalidSettingIsNamed(String name, String value) {
        Map<String, String> settings = with(Map.of(), name, value);

        assertThatThrownBy(() -> sampler(settings))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("oneshot.tracing." + name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://127.0.0.1:4317", "https://otel.example.com/", "https://otel.example.com/tenant/otlp"})
    void anEndpointIsAUrl(String endpoint) {
        assertThat(isRecorded(sampler(Map.of("oneshot.tracing.endpoint", endpoint)), "", SpanKind.SERVER))
                .isTrue();
    }

    private static boolean isRecorded(TracingSampler sampler, String flag, SpanKind kind) {
        Context parent =
                flag.isEmpty() ? Context.root() : TraceContext.parse("00-" + LAST + "-b7ad6b7169203331-" + flag);
        return sampler.shouldSample(parent, LAST, "name", kind, Attributes.empty(), List.of())
                        .getDecision()
                == SamplingDecision.RECORD_AND_SAMPLE;
    }

    private static Map<String, String> with(Map<String, String> settings, String... more) {
        Map<String, String> all = new HashMap<>(settings);
        for (int i = 0; i < more.length; i += 2) {
            all.put("oneshot.tracing." + more[i], more[i + 1]);
        }
        return all;
    }

    private static TracingSampler sampler(Map<String, String> settings) {
        return new TracingSampler(new SmallRyeConfigBuilder()
                .withMapping(TracingConfig.class)
                .withDefaultValues(settings)
                .build()
                .getConfigMapping(TracingConfig.class));
    }
}
