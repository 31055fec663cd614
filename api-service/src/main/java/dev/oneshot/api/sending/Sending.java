package dev.oneshot.api.sending;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.MailSettled.Outcome;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What those who create and delete addresses need to know of sending. */
@ApplicationScoped
public class Sending {

    private final SendChecks checks;
    private final OutboxSignal signal;
    private final InstantSource clock;

    Sending(SendingConfig config, OutboxSignal signal, InstantSource clock) {
        if (config.attachmentsMax() < 0 || config.attachmentsMax() > MailRequested.ATTACHMENTS_MAX) {
            throw new IllegalArgumentException(
                    "oneshot.sending.attachments-max must be between 0 and " + MailRequested.ATTACHMENTS_MAX);
        }
        this.checks = new SendChecks(config.attachmentsMax());
        this.signal = signal;
        this.clock = clock;
    }

    /**
     * The mail that is asked for; its sizes are still to be held against the plan.
     *
     * @throws ApiException 400, naming the member that is wrong
     */
    public OutgoingMail check(@Nullable SendRequest request) {
        return checks.check(request);
    }

    /**
     * Has the mail sent once the transaction is committed; call {@link #committed()} then.
     *
     * @param address the whole address it is sent from
     */
    public void enqueue(Connection connection, OutgoingMail mail, String addressId, String address, Instant expiresAt)
            throws SQLException {
        byte[] value = EventCodec.encode(mail.from(addressId, address, clock.instant(), expiresAt));
        Outbox.add(connection, addressId, value, expiresAt);
    }

    /**
     * Removes the requests of deleted addresses. A mail that a mailer is sending at that moment may still go out, and is then recorded as
     * relayed. A part of the transaction that deletes.
     *
     * @param accountId whose addresses they were
     * @param addressIds of send mode
     */
    public void deleted(Connection connection, UUID accountId, Collection<String> addressIds) throws SQLException {
        if (!addressIds.isEmpty()) {
            Settlements.record(
                    connection, Outbox.remove(connection, addressIds, Outcome.DELETED, clock.instant()), accountId);
        }
    }

    /** A transaction with a new request was committed: publish it now. */
    public void committed() {
        signal.raise();
    }
}
