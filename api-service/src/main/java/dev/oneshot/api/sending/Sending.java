package dev.oneshot.api.sending;

import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.LetterRequested;
import dev.oneshot.contracts.event.PostmasterMail;
import dev.oneshot.contracts.event.SendBounced;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.UUID;

/** Sending, for the code that creates and deletes addresses. */
@ApplicationScoped
public class Sending {

    private final Outbox outbox;
    private final Event<Outbox.Due> due;
    private final InstantSource clock;

    Sending(Outbox outbox, Event<Outbox.Due> due, InstantSource clock) {
        this.outbox = outbox;
        this.due = due;
        this.clock = clock;
    }

    /**
     * Queues the mail in this transaction.
     *
     * @param address the full sender address
     */
    public void enqueue(OutgoingMail mail, String addressId, String address, Instant expiresAt) {
        byte[] value = EventCodec.encode(mail.from(addressId, address, clock.instant(), expiresAt));
        outbox.add(addressId, value, expiresAt);
        due.fire(new Outbox.Due());
    }

    /** Queues a letter in this transaction. */
    public void enqueue(LetterRequested letter) {
        outbox.add(letter.letterId(), EventCodec.encode(letter), letter.expiresAt());
        due.fire(new Outbox.Due());
    }

    /**
     * Queues a mail for the postmaster, in a transaction of its own. Doing so again changes nothing.
     *
     * @param value the mail as encoded
     */
    public void relay(PostmasterMail mail, byte[] value) {
        outbox.addOnce(mail.mailId(), value, mail.expiresAt());
        due.fire(new Outbox.Due());
    }

    /** Records a bounce, in a transaction of its own. Doing so again changes nothing. */
    public void bounced(SendBounced bounce) {
        outbox.bounced(bounce.addressId(), bounce.status());
    }

    /**
     * Removes the requests of deleted addresses. A mail that a mailer is sending at that moment may still go out, and is then recorded as
     * relayed. A part of the transaction that deletes.
     *
     * @param accountId whose addresses they were
     * @param addressIds of send mode
     */
    public void deleted(UUID accountId, Collection<String> addressIds) {
        if (!addressIds.isEmpty()) {
            outbox.withdraw(accountId, addressIds, clock.instant());
        }
    }
}
