package dev.oneshot.contracts.trace;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** The trace context of a Kafka record: {@code traceparent} as a record header, in ASCII. */
public final class RecordTrace {

    private RecordTrace() {}

    /** Sets the trace of a record, replacing any other. */
    public static void put(Headers headers, TraceContext trace) {
        headers.remove(TraceContext.HEADER);
        headers.add(TraceContext.HEADER, trace.traceparent().getBytes(StandardCharsets.US_ASCII));
    }

    /** The context of the work on a record: continues its trace, or starts a new one if it has no valid one. */
    public static TraceContext continued(Headers headers) {
        return Optional.ofNullable(headers.lastHeader(TraceContext.HEADER))
                .map(Header::value)
                .flatMap(value -> TraceContext.parse(new String(value, StandardCharsets.US_ASCII)))
                .map(TraceContext::next)
                .orElseGet(TraceContext::create);
    }
}
