package dev.oneshot.mailer.sending;

import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.MailDeferred;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Outcome;
import dev.oneshot.contracts.event.MailSettled.Reply;
import dev.oneshot.contracts.event.SendResult;
import dev.oneshot.mailer.compose.ComposedMail;
import dev.oneshot.mailer.compose.MimeComposer;
import dev.oneshot.mailer.dkim.DkimSigner;
import dev.oneshot.mailer.relay.Relay;
import dev.oneshot.mailer.relay.RelayResult;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** One attempt at one mail, from the record to its result. Safe for use by many threads. */
@Singleton
class Delivery {

    private static final Logger LOG = Logger.getLogger(Delivery.class);

    private final Relay relay;
    private final RetrySchedule schedule;
    private final Optional<DkimSigner> signer;
    private final InstantSource clock;
    private final DeliveryMetrics metrics;

    Delivery(
            Relay relay,
            RetrySchedule schedule,
            Optional<DkimSigner> signer,
            InstantSource clock,
            DeliveryMetrics metrics) {
        this.relay = relay;
        this.schedule = schedule;
        this.signer = signer;
        this.clock = clock;
        this.metrics = metrics;
    }

    /**
     * Blocks as long as the relay takes.
     *
     * @return empty if nothing was attempted, as the lease has ended: then another one follows
     */
    Optional<SendResult> attempt(ConsumerRecord<String, byte[]> record, Leases.Held lease) {
        MailRequested request;
        ComposedMail mail;
        try {
            request = EventCodec.decodeMailRequested(record.value() == null ? new byte[0] : record.value());
            mail = MimeComposer.compose(request);
        } catch (EventFormatException | IllegalArgumentException e) {
            LOG.errorf("request is undeliverable addressId=%s: %s", record.key(), e.getMessage());
            Instant now = clock.instant();
            metrics.settled(Outcome.UNDELIVERABLE, now, now);
            return Optional.of(
                    new MailSettled(record.key(), Outcome.UNDELIVERABLE, null, null, lease.attempts(), null, now));
        }
        if (!clock.instant().isBefore(request.expiresAt())) {
            return Optional.of(settled(request, Outcome.EXPIRED, null, null, lease.attempts()));
        }
        if (!lease.isValid()) {
            LOG.infof("lease has ended addressId=%s", request.addressId());
            return Optional.empty();
        }
        ComposedMail signed = signer.isPresent() ? signer.get().sign(mail) : mail;
        int tried = lease.attempts() + 1;
        return Optional.of(
                switch (metrics.timed(() -> relay.send(signed, lease::isValid))) {
                    case RelayResult.Relayed relayed -> settled(request, Outcome.RELAYED, null, relayed.reply(), tried);
                    case RelayResult.Refused refused ->
                        settled(request, Outcome.REFUSED, refused.failure(), refused.reply(), tried);
                    case RelayResult.Failed failed -> deferred(request, lease, failed, tried);
                });
    }

    private SendResult deferred(MailRequested request, Leases.Held lease, RelayResult.Failed failed, int tried) {
        Optional<Instant> next = schedule.after(tried, request.expiresAt());
        if (next.isEmpty()) {
            return settled(request, Outcome.GIVEN_UP, failed.failure(), failed.reply(), tried);
        }
        LOG.infof(
                "mail delayed addressId=%s attempts=%d failure=%s reply=%s until=%s",
                request.addressId(), tried, failed.failure(), failed.reply(), next.get());
        metrics.delayed();
        return new MailDeferred(
                request.addressId(), lease.release(), failed.failure(), failed.reply(), tried, next.get());
    }

    private MailSettled settled(
            MailRequested request, Outcome outcome, @Nullable Failure failure, @Nullable Reply reply, int attempts) {
        Instant now = clock.instant();
        LOG.infof(
                "mail settled addressId=%s outcome=%s attempts=%d failure=%s reply=%s",
                request.addressId(), outcome, attempts, failure, reply);
        metrics.settled(outcome, request.requestedAt(), now);
        return new MailSettled(request.addressId(), outcome, failure, reply, attempts, request.requestedAt(), now);
    }
}
