package dev.oneshot.contracts.trace;

import java.util.Optional;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/**
 * The trace of what is being done. It lies in the diagnostic context of the log, so every line within carries it, and
 * it follows an HTTP request over its threads, as that context does.
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

    /** Begins a scope, which ends when it is closed, on the same thread. */
    public static TraceScope open(TraceContext trace) {
        TraceContext before = present().orElse(null);
        enter(trace);
        return new TraceScope(before);
    }

    /** Begins a scope that ends with the diagnostic context, for an HTTP request. */
    public static void enter(TraceContext trace) {
        MDC.put(TRACE_ID, trace.traceId());
        MDC.put(SPAN_ID, trace.spanId());
        MDC.put(SAMPLED, Boolean.toString(trace.sampled()));
    }

    /** The trace of what is being done, or a new one for what nobody asked for. */
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
