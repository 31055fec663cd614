package dev.oneshot.api.sending;

import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.RecordTrace;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaProducer;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.producer.ProducerRecord;
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
    private static final Duration STOP_TIME = Duration.ofMillis(250);
    /** After this time the outbox continues with other work. Mails that Kafka may still accept keep their leases. */
    private static final Duration PUBLISH_TIMEOUT = Duration.ofSeconds(15);

    private final KafkaClientService clients;
    private final Admin admin;
    private final CompletableFuture<Void> stopping = new CompletableFuture<>();

    /** @param upstream gives the channel the upstream that it must have; records go through its producer */
    DueMails(KafkaClientService clients, Admin admin, @Channel(CHANNEL) Emitter<byte[]> upstream) {
        this.clients = clients;
        this.admin = admin;
    }

    KafkaProducer<String, byte[]> producer() {
        return clients.getProducer(CHANNEL);
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

    /** Stops waiting for Kafka after 250 ms. Mails that Kafka may still accept keep their lease. */
    void stop() {
        var _ = stopping.completeOnTimeout(null, STOP_TIME.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Publishes, and waits until Kafka has acknowledged.
     *
     * @return those that are certainly not on Kafka
     * @throws KafkaException if that is not known within 15 s, or before the service stops
     */
    List<Outbox.Leased> publish(List<Outbox.Leased> leased) throws InterruptedException {
        List<CompletableFuture<Optional<Outbox.Leased>>> unpublished =
                leased.stream().map(this::publish).toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(unpublished.toArray(CompletableFuture[]::new));
        try {
            CompletableFuture.anyOf(all, stopping).get(PUBLISH_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new KafkaException("Kafka has not acknowledged due mails yet", e);
        } catch (ExecutionException e) {
            throw new KafkaException("Kafka did not take a due mail", e.getCause());
        }
        if (!all.isDone()) {
            throw new KafkaException("the service stops before Kafka has acknowledged due mails");
        }
        return unpublished.stream().flatMap(mail -> mail.resultNow().stream()).toList();
    }

    /** Returns the request if it is certainly not on Kafka. */
    private CompletableFuture<Optional<Outbox.Leased>> publish(Outbox.Leased leased) {
        ProducerRecord<String, byte[]> record = new ProducerRecord<>(
                Topic.MAIL_DUE.topicName(), leased.addressId(), leased.value().array());
        leased.lease().put(record.headers());
        RecordTrace.put(record.headers(), leased.trace());
        return producer()
                .send(record)
                .map(_ -> Optional.<Outbox.Leased>empty())
                // The producer never gives up on a record it has begun to send: a time-out means that it has not.
                .onFailure(org.apache.kafka.common.errors.TimeoutException.class)
                .recoverWithItem(Optional.of(leased))
                .onFailure(AuthorizationException.class)
                .recoverWithItem(Optional.of(leased))
                .subscribeAsCompletionStage();
    }
}
