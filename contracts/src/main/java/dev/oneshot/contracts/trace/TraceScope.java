package dev.oneshot.contracts.trace;

import java.util.Optional;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/**
 * The trace of the current work, in the diagnostic context of the log. Every log line within carries it, and it
 * follows an HTTP request over its threads.
 */
public final class TraceScope implements AutoCloseable {

    /** The names of the log fields; OpenTelemetry's for Quarkus are the same. */
    public static final String TRACE_ID = "traceId";

    public static final String SPAN_ID = "spanId";
    public static final String SAMPLED = "sampled";

    private final @Nullable TraceContext before;

    private TraceScope(@Nullable TraceContext before) {
        this.before = before;
    }

    /** Opens a scope, to be closed on the same thread. */
    public static TraceScope open(TraceContext trace) {
        TraceContext before = present().orElse(null);
        enter(trace);
        return new TraceScope(before);
    }

    /** Opens a scope for an HTTP request, which ends with the diagnostic context. */
    public static void enter(TraceContext trace) {
        MDC.put(TRACE_ID, trace.traceId());
        MDC.put(SPAN_ID, trace.spanId());
        MDC.put(SAMPLED, Boolean.toString(trace.sampled()));
    }

    /** The current trace, or a new one if there is none. */
    public static TraceContext current() {
        return present().orElseGet(TraceContext::create);
    }

    private static Optional<TraceContext> present() {
        return MDC.get(TRACE_ID) instanceof String traceId && MDC.get(SPAN_ID) instanceof String spanId
                ? Optional.of(new TraceContext(traceId, spanId, "true".equals(MDC.get(SAMPLED))))
                : Optional.empty();
    }

    @Override
    public void close() {
        if (before == null) {
            MDC.remove(TRACE_ID);
            MDC.remove(SPAN_ID);
            MDC.remove(SAMPLED);
        } else {
            enter(before);
        }
    }
}
