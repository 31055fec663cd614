package dev.oneshot.mailer.sending;

import dev.oneshot.contracts.event.DueMail;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.LetterRequested;
import dev.oneshot.contracts.event.MailDeferred;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Outcome;
import dev.oneshot.contracts.event.MailSettled.Reply;
import dev.oneshot.contracts.event.PostmasterMail;
import dev.oneshot.contracts.event.SendResult;
import dev.oneshot.mailer.compose.MimeComposer;
import dev.oneshot.mailer.compose.SmtpMail;
import dev.oneshot.mailer.dkim.DkimSigner;
import dev.oneshot.mailer.letter.Letters;
import dev.oneshot.mailer.relay.Relay;
import dev.oneshot.mailer.relay.RelayResult;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** One attempt at one mail, from the record to its result. Safe for use by many threads. */
@Singleton
class Delivery {

    private static final Logger LOG = Logger.getLogger(Delivery.class);

    private final Relay relay;
    private final Letters letters;
    private final RetrySchedule schedule;
    private final DkimSigner signer;
    private final InstantSource clock;
    private final DeliveryMetrics metrics;

    Delivery(
            Relay relay,
            Letters letters,
            RetrySchedule schedule,
            DkimSigner signer,
            InstantSource clock,
            DeliveryMetrics metrics) {
        this.relay = relay;
        this.letters = letters;
        this.schedule = schedule;
        this.signer = signer;
        this.clock = clock;
        this.metrics = metrics;
    }

    /**
     * Makes one attempt, and blocks as long as it takes.
     *
     * @return empty if nothing was attempted because the lease has ended; another lease follows
     */
    Optional<SendResult> attempt(ConsumerRecord<String, byte[]> record, Leases.Held lease) {
        String id = record.key();
        DueMail mail;
        try {
            mail = EventCodec.decodeDueMail(record.value() == null ? new byte[0] : record.value());
        } catch (EventFormatException e) {
            return Optional.of(undeliverable(id, lease, e));
        }
        if (!clock.instant().isBefore(mail.expiresAt())) {
            return Optional.of(settled(id, mail, Outcome.EXPIRED, null, null, lease.attempts()));
        }
        if (!lease.isValid()) {
            LOG.infof("lease has ended addressId=%s", id);
            return Optional.empty();
        }
        Supplier<RelayResult> sending;
        try {
            sending = sending(mail, lease);
        } catch (IllegalArgumentException e) {
            return Optional.of(undeliverable(id, lease, e));
        }
        int tried = lease.attempts() + 1;
        return Optional.of(
                switch (metrics.timed(sending)) {
                    case RelayResult.Relayed relayed ->
                        settled(id, mail, Outcome.RELAYED, null, relayed.reply(), tried);
                    case RelayResult.Refused refused ->
                        settled(id, mail, Outcome.REFUSED, refused.failure(), refused.reply(), tried);
                    case RelayResult.Failed failed -> deferred(id, mail, lease, failed, tried);
                });
    }

    private MailSettled undeliverable(String id, Leases.Held lease, Exception cause) {
        LOG.errorf("request is undeliverable addressId=%s: %s", id, cause.getMessage());
        Instant now = clock.instant();
        metrics.settled(Outcome.UNDELIVERABLE, now, now);
        return new MailSettled(id, Outcome.UNDELIVERABLE, null, null, lease.attempts(), null, now);
    }

    /** Composes a mail, and chooses how to send it. */
    private Supplier<RelayResult> sending(DueMail mail, Leases.Held lease) {
        return switch (mail) {
            case MailRequested request ->
                relaying(MimeComposer.compose(request, message -> signer.sign(message, request.from())), lease);
            case PostmasterMail received -> relaying(SmtpMail.relayed(received.to(), received.raw()), lease);
            case LetterRequested letter -> () -> letters.send(letter);
        };
    }

    private Supplier<RelayResult> relaying(SmtpMail mail, Leases.Held lease) {
        return () -> relay.send(mail, lease::isValid);
    }

    private SendResult deferred(String id, DueMail mail, Leases.Held lease, RelayResult.Failed failed, int tried) {
        Optional<Instant> next = schedule.after(tried, mail.expiresAt());
        if (next.isEmpty()) {
            return settled(id, mail, Outcome.GIVEN_UP, failed.failure(), failed.reply(), tried);
        }
        LOG.infof(
                "mail delayed addressId=%s attempts=%d failure=%s reply=%s until=%s",
                id, tried, failed.failure(), failed.reply(), next.get());
        metrics.delayed();
        return new MailDeferred(id, lease.release(), failed.failure(), failed.reply(), tried, next.get());
    }

    private MailSettled settled(
            String id, DueMail mail, Outcome outcome, @Nullable Failure failure, @Nullable Reply reply, int attempts) {
        Instant now = clock.instant();
        LOG.infof(
                "mail settled addressId=%s outcome=%s attempts=%d failure=%s reply=%s",
                id, outcome, attempts, failure, reply);
        metrics.settled(outcome, mail.requestedAt(), now);
        return new MailSettled(id, outcome, failure, reply, attempts, mail.requestedAt(), now);
    }
}
