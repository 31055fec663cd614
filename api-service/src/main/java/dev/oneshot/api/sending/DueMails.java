package dev.oneshot.api.sending;

import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.RecordTrace;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaProducer;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Emitter;

/**
 * Publishes leased requests. Its producer tries without end, so a record is on Kafka once, or the process has ended.
 *
 * <p>Safe for use by many threads.
 */
@ApplicationScoped
class DueMails {

    private static final String CHANNEL = "mail-due";
    private static final int PROBE_TIMEOUT_MS = 3_000;
    private static final Duration STOP_POLL = Duration.ofMillis(250);
    /** After this the outbox has other work. Mails that Kafka may still accept keep their lease. */
    private static final Duration PUBLISH_TIMEOUT = Duration.ofSeconds(15);

    private final KafkaClientService clients;
    private final Admin admin;
    private volatile boolean stopping;

    /** @param upstream gives the channel the upstream that it must have; records go through its producer */
    DueMails(KafkaClientService clients, Admin admin, @Channel(CHANNEL) Emitter<byte[]> upstream) {
        this.clients = clients;
        this.admin = admin;
    }

    KafkaProducer<String, byte[]> producer() {
        return clients.getProducer(CHANNEL);
    }

    /** The client of Kafka's administration. */
    Admin admin() {
        return admin;
    }

    /**
     * Makes sure that Kafka responds, so that no lease begins while it is away.
     *
     * @throws KafkaException if it does not
     */
    void requireKafka() throws InterruptedException {
        try {
            admin.describeCluster(new DescribeClusterOptions().timeoutMs(PROBE_TIMEOUT_MS))
                    .clusterId()
                    .get();
        } catch (ExecutionException | KafkaException e) {
            throw new KafkaException("Kafka does not respond", e);
        }
    }

    /** Stops waiting for Kafka. Mails that Kafka may still accept keep their lease. */
    void stop() {
        stopping = true;
    }

    /**
     * Publishes, and waits until Kafka has acknowledged.
     *
     * @return those that are not on Kafka for certain
     * @throws KafkaException if that is not known within 15 s, or before the service stops
     */
    List<Outbox.Leased> publish(List<Outbox.Leased> leased) throws InterruptedException {
        KafkaProducer<String, byte[]> producer = producer();
        List<CompletableFuture<RecordMetadata>> sent = new ArrayList<>();
        for (Outbox.Leased one : leased) {
            ProducerRecord<String, byte[]> record = new ProducerRecord<>(
                    Topic.MAIL_DUE.topicName(), one.addressId(), one.value().array());
            one.lease().put(record.headers());
            RecordTrace.put(record.headers(), one.trace());
            sent.add(producer.send(record).subscribeAsCompletionStage());
        }
        long deadline = System.nanoTime() + PUBLISH_TIMEOUT.toNanos();
        List<Outbox.Leased> unpublished = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            if (!isPublished(sent.get(i), deadline)) {
                unpublished.add(leased.get(i));
            }
        }
        return unpublished;
    }

    private boolean isPublished(CompletableFuture<RecordMetadata> sent, long deadlineNanos)
            throws InterruptedException {
        while (true) {
            try {
                sent.get(STOP_POLL.toMillis(), TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException e) {
                if (stopping || System.nanoTime() - deadlineNanos > 0) {
                    throw new KafkaException("Kafka has not acknowledged due mails yet", e);
                }
            } catch (ExecutionException e) {
                // The producer never gives up on records it has begun to send, so a time-out is about one that it has
                // not.
                if (e.getCause() instanceof org.apache.kafka.common.errors.TimeoutException
                        || e.getCause() instanceof AuthorizationException) {
                    return false;
                }
                throw new KafkaException("Kafka did not take a due mail", e.getCause());
            }
        }
    }
}
