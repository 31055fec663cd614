package dev.oneshot.api.address;

import dev.oneshot.api.account.Account;
import dev.oneshot.api.account.Plan;
import dev.oneshot.api.database.DatabaseFaultException;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.idempotency.Idempotency;
import dev.oneshot.api.quota.Quota;
import dev.oneshot.api.quota.QuotaCharge;
import dev.oneshot.api.sending.Outbox;
import dev.oneshot.api.sending.SendRequest;
import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.MailRequested;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Creates addresses. */
@ApplicationScoped
class AddressIssuer {

    /** Ids that expire in the same second differ by 36 random bits. Three collisions in a row are a fault. */
    private static final int ATTEMPTS = 3;

    private final AddressStore addresses;
    private final AddressIdCodec ids;
    private final Quota quota;
    private final Outbox outbox;
    private final Idempotency idempotency;
    private final InstantSource clock;

    AddressIssuer(
            AddressStore addresses,
            AddressIdCodec ids,
            Quota quota,
            Outbox outbox,
            Idempotency idempotency,
            InstantSource clock) {
        this.addresses = addresses;
        this.ids = ids;
        this.quota = quota;
        this.outbox = outbox;
        this.idempotency = idempotency;
        this.clock = clock;
    }

    /**
     * Creates an address and charges the account for it, once for one {@code Idempotency-Key}; in send mode the same commit
     * queues the mail.
     *
     * @throws ApiException 402, 409 or 422; then nothing was created or charged
     */
    CreatedAddressView create(Account account, Optional<Idempotency.Key> key, NewAddress address) {
        for (int attempt = 1; ; attempt++) {
            try {
                return CreatedAddressView.of(
                        idempotency.once(key, CreatedAddress.class, () -> issue(account, address)), address);
            } catch (DatabaseFaultException e) {
                if (!e.isUniqueViolation() || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Receive mode takes one statement, send mode a transaction. */
    private CreatedAddress issue(Account account, NewAddress address) {
        return address.mode() == Mode.RECEIVE ? write(account, address) : writeWithMail(account, address);
    }

    @Transactional
    CreatedAddress writeWithMail(Account account, NewAddress address) {
        return write(account, address);
    }

    private CreatedAddress write(Account account, NewAddress address) {
        Instant now = clock.instant();
        QuotaCharge charge = quota.of(account, now);
        Plan plan = charge.plan();
        Instant expiresAt = roundedUp(now.plus(address.ttlWithin(plan)));
        MailRequested.Mail mail = address.mail();
        if (mail != null) {
            SendRequest.requireWithin(plan, mail);
        }
        String id = (mail == null
                        ? ids.issue(plan.sizeClass(), expiresAt)
                        : ids.issueSending(plan.sizeClass(), expiresAt))
                .text();
        if (!addresses.create(id, address, expiresAt, charge)) {
            throw quota.refused(charge);
        }
        String fullAddress = addresses.addressOf(address.mode(), id);
        if (mail != null) {
            MailRequested request = new MailRequested(id, fullAddress, mail, clock.instant(), expiresAt);
            outbox.add(id, mail.to(), EventCodec.encode(request), expiresAt);
        }
        return new CreatedAddress(id, fullAddress, address.mode(), Status.ofNew(address.mode()), expiresAt);
    }

    /** The first whole second that is not before this instant. */
    private static Instant roundedUp(Instant instant) {
        return instant.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
    }
}
