package dev.oneshot.contracts.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import jakarta.inject.Singleton;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The spans of work on Kafka records, as OpenTelemetry's conventions for messaging name them. SmallRye's own would begin and end
 * when a record is polled, in a batch too, and producers are used without their channel. A key is an address, so no span has it.
 */
@Singleton
public final class RecordSpans {

    private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
    private static final AttributeKey<String> TOPIC = AttributeKey.stringKey("messaging.destination.name");
    private static final AttributeKey<String> PARTITION = AttributeKey.stringKey("messaging.destination.partition.id");
    private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("messaging.operation.type");
    private static final AttributeKey<Long> OFFSET = AttributeKey.longKey("messaging.kafka.offset");

    private final Tracer tracer;

    public RecordSpans(Tracer tracer) {
        this.tracer = tracer;
    }

    /** Starts a span for the work on a record, in the record's trace. {@link #end} must follow. */
    public Context process(ConsumerRecord<?, ?> record) {
        Context context = start("process", SpanKind.CONSUMER, record.topic(), TraceContext.of(record.headers()));
        Span.fromContext(context)
                .setAttribute(PARTITION, String.valueOf(record.partition()))
                .setAttribute(OFFSET, record.offset());
        return context;
    }

    /** Starts a span that lasts until Kafka has a record. {@link #end} must follow. */
    public Context send(String topic, Context parent) {
        return start("send", SpanKind.PRODUCER, topic, parent);
    }

    private Context start(String operation, SpanKind kind, String topic, Context parent) {
        Span span = tracer.spanBuilder(operation + ' ' + topic)
                .setParent(parent)
                .setSpanKind(kind)
                .startSpan()
                .setAttribute(SYSTEM, "kafka")
                .setAttribute(TOPIC, topic)
                .setAttribute(OPERATION, operation);
        return span.storeInContext(Context.root());
    }

    /** Ends a span. The log has the failure. */
    public static void end(Context context, @Nullable Throwable failure) {
        Span span = Span.fromContext(context);
        if (failure != null) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
