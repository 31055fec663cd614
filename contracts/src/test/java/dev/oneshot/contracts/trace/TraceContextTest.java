package dev.oneshot.contracts.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/** W3C Trace Context, sections 3.2 (traceparent) and 4.2 (handling of an invalid one). */
class TraceContextTest {

    private static final String TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN_ID = "b7ad6b7169203331";
    private static final String VALID = "00-" + TRACE_ID + "-" + SPAN_ID + "-01";

    @ParameterizedTest
    @CsvFileSource(resources = "/traceparent.txt", delimiter = '|', quoteCharacter = '\'')
    void traceparentIsReadOrIgnored(String result, String traceparent) {
        Optional<TraceContext> expected = switch (result) {
            case "sampled" -> Optional.of(new TraceContext(TRACE_ID, SPAN_ID, true));
            case "not sampled" -> Optional.of(new TraceContext(TRACE_ID, SPAN_ID, false));
            default -> Optional.empty();
        };

        assertThat(TraceContext.parse(traceparent.translateEscapes())).isEqualTo(expected);
    }

    @Test
    void newOneIsValidAndLikeNoOther() {
        TraceContext one = TraceContext.create();

        assertThat(TraceContext.parse(one.traceparent())).contains(one);
        assertThat(TraceContext.create().traceId()).isNotEqualTo(one.traceId());
    }

    @Test
    void nextIsAnotherSpanOfTheSameTrace() {
        TraceContext one = new TraceContext(TRACE_ID, SPAN_ID, false);

        TraceContext next = one.next();

        assertThat(next.traceId()).isEqualTo(TRACE_ID);
        assertThat(next.spanId()).isNotEqualTo(SPAN_ID);
        assertThat(next.sampled()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "123456789abcdef", "0123456789abcdef0", "0123456789abcdeF", "0000000000000000"})
    void otherIdsCannotBeMade(String spanId) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TraceContext(TRACE_ID, spanId, true))
                .withMessageContaining("spanId");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TraceContext(spanId + spanId, SPAN_ID, true))
                .withMessageContaining("traceId");
    }

    @Test
    void recordCarriesTheTraceOn() {
        Headers headers = new RecordHeaders();
        RecordTrace.put(headers, TraceContext.create());
        RecordTrace.put(headers, new TraceContext(TRACE_ID, SPAN_ID, true));

        assertThat(headers.headers(TraceContext.HEADER)).hasSize(1);
        assertThat(headers.lastHeader(TraceContext.HEADER).value())
                .isEqualTo(VALID.getBytes(StandardCharsets.US_ASCII));
        assertThat(RecordTrace.continued(headers).traceId()).isEqualTo(TRACE_ID);
        assertThat(RecordTrace.continued(headers).spanId()).isNotEqualTo(SPAN_ID);
    }

    @Test
    void recordWithoutAValidTraceBeginsOne() {
        Headers none = new RecordHeaders();
        Headers noValue = new RecordHeaders().add(TraceContext.HEADER, null);
        Headers invalid = new RecordHeaders().add(TraceContext.HEADER, new byte[] {-1, 0, 1});

        assertThat(RecordTrace.continued(none).traceId()).hasSize(32);
        assertThat(RecordTrace.continued(noValue).traceId()).hasSize(32);
        assertThat(RecordTrace.continued(invalid).traceId()).hasSize(32);
    }

    @Test
    void scopesNestAndEnd() {
        TraceContext outer = TraceContext.create();
        TraceContext inner = outer.next();

        try (TraceScope _ = TraceScope.open(outer)) {
            try (TraceScope _ = TraceScope.open(inner)) {
                assertThat(TraceScope.current()).isEqualTo(inner);
            }
            assertThat(TraceScope.current()).isEqualTo(outer);
        }
        assertThat(TraceScope.current().traceId()).isNotEqualTo(outer.traceId());
    }
}
