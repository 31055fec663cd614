package dev.oneshot.api.sending;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.LetterRequested;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.PostmasterMail;
import dev.oneshot.contracts.event.SendBounced;
import dev.oneshot.contracts.setting.ValidSetting;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sending, for the code that creates and deletes addresses. */
@ApplicationScoped
public class Sending {

    private final SendChecks checks;
    private final Outbox outbox;
    private final OutboxSignal signal;
    private final InstantSource clock;

    Sending(SendingConfig config, Outbox outbox, OutboxSignal signal, InstantSource clock) {
        this.checks = new SendChecks(ValidSetting.between(
                "oneshot.sending.attachments-max", config.attachmentsMax(), 0, MailRequested.ATTACHMENTS_MAX));
        this.outbox = outbox;
        this.signal = signal;
        this.clock = clock;
    }

    /**
     * The requested mail. Its sizes are not yet checked against the plan.
     *
     * @throws ApiException 400, naming the member that is wrong
     */
    public OutgoingMail check(@Nullable SendRequest request) {
        return checks.check(request);
    }

    /**
     * Queues the mail in this transaction; call {@link #committed()} after the commit.
     *
     * @param address the full sender address
     */
    public void enqueue(OutgoingMail mail, String addressId, String address, Instant expiresAt) {
        byte[] value = EventCodec.encode(mail.from(addressId, address, clock.instant(), expiresAt));
        outbox.add(addressId, value, expiresAt);
    }

    /** Queues a letter in this transaction; call {@link #committed()} after the commit. */
    public void enqueue(LetterRequested letter) {
        outbox.add(letter.letterId(), EventCodec.encode(letter), letter.expiresAt());
    }

    /**
     * Has a mail for the postmaster relayed, in a transaction of its own. To do so again changes nothing.
     *
     * @param value the mail as encoded
     */
    public void relay(PostmasterMail mail, byte[] value) {
        outbox.addOnce(mail.mailId(), value, mail.expiresAt());
        committed();
    }

    /** Records a bounce, in a transaction of its own. To do so again changes nothing. */
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

    /** A transaction with a new request was committed: publish it now. */
    public void committed() {
        signal.raise();
    }
}
