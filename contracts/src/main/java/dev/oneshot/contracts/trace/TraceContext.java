package dev.oneshot.contracts.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.trace.IdGenerator;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The header {@code traceparent} of W3C Trace Context in Kafka records (in ASCII) and in rows of the outbox. {@code tracestate} is
 * not carried, as a client could put anything there; the standard allows that.
 */
public final class TraceContext {

    /** The name of the HTTP header and of the Kafka record header. */
    public static final String HEADER = "traceparent";

    private static final TextMapGetter<String> TRACEPARENT = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(String traceparent) {
            return List.of(HEADER);
        }

        @Override
        public @Nullable String get(@Nullable String traceparent, String key) {
            return key.equals(HEADER) ? traceparent : null;
        }
    };

    private TraceContext() {}

    /** A context whose spans continue the trace of this header; without a valid one, they start a new trace. */
    public static Context parse(@Nullable String traceparent) {
        return traceparent == null
                ? Context.root()
                : W3CTraceContextPropagator.getInstance().extract(Context.root(), traceparent, TRACEPARENT);
    }

    /** A context whose spans continue the trace of a record. */
    public static Context of(Headers headers) {
        Header header = headers.lastHeader(HEADER);
        return header == null || header.value() == null
                ? Context.root()
                : parse(new String(header.value(), StandardCharsets.US_ASCII));
    }

    /** A context with ids for the log and the header, but no span to record. Continues the parent's trace, or begins one. */
    public static Context withoutSpan(Context parent) {
        SpanContext above = Span.fromContext(parent).getSpanContext();
        IdGenerator ids = IdGenerator.random();
        return parent.with(Span.wrap(SpanContext.create(
                above.isValid() ? above.getTraceId() : ids.generateTraceId(),
                ids.generateSpanId(),
                TraceFlags.getDefault(),
                TraceState.getDefault())));
    }

    /** The value of the header, in version 00; null if the context is in no trace. */
    public static @Nullable String traceparent(Context context) {
        SpanContext span = Span.fromContext(context).getSpanContext();
        return span.isValid()
                ? "00-" + span.getTraceId() + '-' + span.getSpanId() + '-'
                        + span.getTraceFlags().asHex()
                : null;
    }

    /** Sets the trace of a record, replacing any other. */
    public static void put(Headers headers, Context context) {
        headers.remove(HEADER);
        String traceparent = traceparent(context);
        if (traceparent != null) {
            headers.add(HEADER, traceparent.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
