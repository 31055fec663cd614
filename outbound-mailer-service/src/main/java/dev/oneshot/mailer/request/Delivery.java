package dev.oneshot.mailer.request;

import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Outcome;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.mailer.closed.DeletedAddresses;
import dev.oneshot.mailer.compose.ComposedMail;
import dev.oneshot.mailer.compose.MimeComposer;
import dev.oneshot.mailer.dkim.DkimSigner;
import dev.oneshot.mailer.relay.Handover;
import dev.oneshot.mailer.relay.Relay;
import dev.oneshot.mailer.relay.RelayResult;
import dev.oneshot.mailer.retry.RetryHeaders;
import dev.oneshot.mailer.retry.RetrySchedule;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** One attempt at one request, from the record to what is to be written because of it. Safe for use by many threads. */
@Singleton
final class Delivery {

    private static final Logger LOG = Logger.getLogger(Delivery.class);

    private final Relay relay;
    private final RetrySchedule schedule;
    private final Optional<DkimSigner> signer;
    private final DeletedAddresses deleted;
    private final SeenRequests seen;
    private final InstantSource clock;
    private final DeliveryMetrics metrics;

    Delivery(
            Relay relay,
            RetrySchedule schedule,
            Optional<DkimSigner> signer,
            DeletedAddresses deleted,
            SeenRequests seen,
            InstantSource clock,
            DeliveryMetrics metrics) {
        this.relay = relay;
        this.schedule = schedule;
        this.signer = signer;
        this.deleted = deleted;
        this.seen = seen;
        this.clock = clock;
        this.metrics = metrics;
    }

    /**
     * Blocks for as long as the relay takes.
     *
     * @return what to write because the record is done; empty if it is not, as the mail was withdrawn
     */
    Optional<List<ProducerRecord<byte[], byte[]>>> deliver(ConsumerRecord<byte[], byte[]> record, Handover handover) {
        int attempts = RetryHeaders.attempts(record.headers());
        MailRequested request;
        ComposedMail mail;
        try {
            request = EventCodec.decodeMailRequested(record.value() == null ? new byte[0] : record.value());
            mail = MimeComposer.compose(request);
        } catch (EventFormatException | IllegalArgumentException e) {
            return Optional.of(deadLetter(record, attempts, String.valueOf(e.getMessage())));
        }
        boolean firstTry = record.topic().equals(Topic.MAIL_REQUESTED.topicName());
        if (firstTry && seen.isSecond(request.addressId(), record)) {
            LOG.warnf("request was published twice and is sent once addressId=%s", request.addressId());
            return Optional.of(List.of());
        }
        int tried = attempts + 1;
        Optional<MailSettled.Reply> taken = seen.replyTo(request.addressId());
        if (taken.isPresent()) {
            return Optional.of(settled(request, Outcome.RELAYED, null, taken.get(), tried));
        }
        if (deleted.contains(request.addressId(), request.expiresAt())) {
            return Optional.of(settled(request, Outcome.DELETED, null, null, attempts));
        }
        if (!clock.instant().isBefore(request.expiresAt())) {
            return Optional.of(settled(request, Outcome.EXPIRED, null, null, attempts));
        }
        ComposedMail signed = signer.isPresent() ? signer.get().sign(mail) : mail;
        return switch (metrics.timed(() -> relay.send(signed, handover))) {
            case RelayResult.Relayed relayed -> {
                seen.relayed(request.addressId(), relayed.reply());
                yield Optional.of(settled(request, Outcome.RELAYED, null, relayed.reply(), tried));
            }
            case RelayResult.Refused refused ->
                Optional.of(settled(request, Outcome.REFUSED, refused.failure(), refused.reply(), tried));
            case RelayResult.Failed failed -> Optional.of(again(record, request, failed, tried));
            case RelayResult.Withdrawn _ -> Optional.empty();
        };
    }

    private List<ProducerRecord<byte[], byte[]>> again(
            ConsumerRecord<byte[], byte[]> record, MailRequested request, RelayResult.Failed failed, int tried) {
        return schedule.after(tried, request.expiresAt())
                .map(retry -> {
                    LOG.infof(
                            "mail delayed addressId=%s attempts=%d failure=%s reply=%s until=%s",
                            request.addressId(), tried, failed.failure(), failed.reply(), retry.notBefore());
                    metrics.delayed(retry.topic());
                    ProducerRecord<byte[], byte[]> next =
                            new ProducerRecord<>(retry.topic().topicName(), record.key(), record.value());
                    RetryHeaders.set(next.headers(), tried, retry.notBefore());
                    return List.of(next);
                })
                .orElseGet(() -> settled(request, Outcome.GIVEN_UP, failed.failure(), failed.reply(), tried));
    }

    private List<ProducerRecord<byte[], byte[]>> settled(
            MailRequested request,
            Outcome outcome,
            @Nullable Failure failure,
            MailSettled.@Nullable Reply reply,
            int attempts) {
        Instant now = clock.instant();
        LOG.infof(
                "mail settled addressId=%s outcome=%s attempts=%d failure=%s reply=%s",
                request.addressId(), outcome, attempts, failure, reply);
        metrics.settled(outcome, request.requestedAt(), now);
        return List.of(settlement(
                new MailSettled(request.addressId(), outcome, failure, reply, attempts, request.requestedAt(), now)));
    }

    private List<ProducerRecord<byte[], byte[]>> deadLetter(
            ConsumerRecord<byte[], byte[]> record, int attempts, String reason) {
        LOG.errorf(
                "request dead-lettered topic=%s partition=%d offset=%d: %s",
                record.topic(), record.partition(), record.offset(), reason);
        ProducerRecord<byte[], byte[]> letter =
                new ProducerRecord<>(Topic.MAIL_REQUESTED_DLQ.topicName(), record.key(), record.value());
        letter.headers().add(Topic.DEAD_LETTER_REASON_HEADER, reason.getBytes(StandardCharsets.UTF_8));
        String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.US_ASCII);
        metrics.deadLettered();
        if (!key.matches("[a-z2-7]{24}")) {
            return List.of(letter);
        }
        return List.of(
                letter,
                settlement(new MailSettled(key, Outcome.UNDELIVERABLE, null, null, attempts, null, clock.instant())));
    }

    private static ProducerRecord<byte[], byte[]> settlement(MailSettled event) {
        return new ProducerRecord<>(
                Topic.MAIL_SETTLED.topicName(),
                event.addressId().getBytes(StandardCharsets.US_ASCII),
                EventCodec.encode(event));
    }
}
