package dev.oneshot.mailer.sending;

import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.LeaseExtended;
import dev.oneshot.contracts.event.SendResult;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.RecordSpans;
import dev.oneshot.contracts.trace.TraceContext;
import io.opentelemetry.context.Context;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaProducer;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Emitter;
import org.jboss.logging.Logger;

/** Reports results on {@code mail.settled}. Safe for use by many threads. */
@Singleton
class Results {

    private static final Logger LOG = Logger.getLogger(Results.class);
    private static final String CHANNEL = "mail-settled";
    private static final long FAILURE_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final String TOPIC = Topic.MAIL_SETTLED.topicName();

    private final KafkaClientService clients;
    private final RecordSpans spans;

    /** @param upstream not used, but the channel must have an upstream; records are sent by its producer */
    Results(KafkaClientService clients, RecordSpans spans, @Channel(CHANNEL) Emitter<byte[]> upstream) {
        this.clients = clients;
        this.spans = spans;
    }

    /**
     * Reports an extension once, without blocking. The future tells whether Kafka has acknowledged it, and never
     * fails.
     */
    CompletableFuture<Boolean> extend(LeaseExtended extension, Context trace) {
        return clients.<String, byte[]>getProducer(CHANNEL)
                .send(record(extension, trace))
                .map(_ -> true)
                .onFailure()
                .invoke(failure -> LOG.warnf("lease not extended addressId=%s: %s", extension.addressId(), failure))
                .onFailure()
                .recoverWithItem(false)
                .subscribeAsCompletionStage();
    }

    private static ProducerRecord<String, byte[]> record(SendResult result, Context trace) {
        ProducerRecord<String, byte[]> record =
                new ProducerRecord<>(TOPIC, result.addressId(), EventCodec.encode(result));
        TraceContext.put(record.headers(), trace);
        return record;
    }

    /** Blocks until Kafka has the result, without a timeout: a lost result would make the mail be sent again. */
    void report(SendResult result, Context parent) {
        Context trace = spans.send(TOPIC, parent);
        KafkaProducer<String, byte[]> producer = clients.getProducer(CHANNEL);
        while (true) {
            try {
                var _ = producer.send(record(result, trace)).await().indefinitely();
                RecordSpans.end(trace, null);
                return;
            } catch (RuntimeException e) {
                LOG.warnf("result not reported, retrying: %s", e.toString());
                LockSupport.parkNanos(FAILURE_PAUSE_NANOS);
            }
        }
    }
}
