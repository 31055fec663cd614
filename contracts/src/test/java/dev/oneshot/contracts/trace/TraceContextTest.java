package dev.oneshot.contracts.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** W3C Trace Context, sections 3.2 (traceparent) and 4.2 (handling of an invalid one). */
class TraceContextTest {

    private static final String TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
    private static final String VALID = "00-" + TRACE_ID + "-b7ad6b7169203331-01";

    @ParameterizedTest
    @CsvFileSource(resources = "/traceparent.txt", delimiter = '|', quoteCharacter = '\'')
    void traceparentIsReadOrIgnored(String result, String traceparent) {
        SpanContext read = spanOf(TraceContext.parse(traceparent.translateEscapes()));

        switch (result) {
            case "sampled", "not sampled" -> {
                assertThat(read.getTraceId()).isEqualTo(TRACE_ID);
                assertThat(read.getSpanId()).isEqualTo("b7ad6b7169203331");
                assertThat(read.isSampled()).isEqualTo(result.equals("sampled"));
            }
            default -> assertThat(read.isValid()).isFalse();
        }
    }

    @Test
    void recordCarriesOneTraceOn() {
        Headers headers = new RecordHeaders();
        TraceContext.put(headers, TraceContext.parse("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"));
        TraceContext.put(headers, TraceContext.parse(VALID));

        assertThat(headers.headers(TraceContext.HEADER)).hasSize(1);
        assertThat(headers.lastHeader(TraceContext.HEADER).value())
                .isEqualTo(VALID.getBytes(StandardCharsets.US_ASCII));
        assertThat(TraceContext.traceparent(TraceContext.of(headers))).isEqualTo(VALID);
    }

    @Test
    void recordWithoutAValidTraceHasNone() {
        Headers none = new RecordHeaders();
        Headers noValue = new RecordHeaders().add(TraceContext.HEADER, null);
        Headers invalid = new RecordHeaders().add(TraceContext.HEADER, new byte[] {-1, 0, 1});

        assertThat(spanOf(TraceContext.of(none)).isValid()).isFalse();
        assertThat(spanOf(TraceContext.of(noValue)).isValid()).isFalse();
        assertThat(spanOf(TraceContext.of(invalid)).isValid()).isFalse();
        assertThat(TraceContext.traceparent(Context.root())).isNull();
    }

    private static SpanContext spanOf(Context context) {
        return Span.fromContext(context).getSpanContext();
    }
}
