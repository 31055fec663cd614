package dev.oneshot.api.address;

import dev.oneshot.api.account.Account;
import dev.oneshot.api.account.Charge;
import dev.oneshot.api.account.Charges;
import dev.oneshot.api.account.Plan;
import dev.oneshot.api.account.Plans;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.sending.OutgoingMail;
import dev.oneshot.api.sending.Sending;
import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.address.AddressIdCodec;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Writes a new address, its charge and its mail, as the plan allows: parts of somebody's transaction. */
@ApplicationScoped
class AddressWriter {

    private final AddressIdCodec ids;
    private final AddressDomains domains;
    private final Plans plans;
    private final Charges charges;
    private final Sending sending;
    private final InstantSource clock;

    AddressWriter(
            AddressIdCodec ids,
            AddressDomains domains,
            Plans plans,
            Charges charges,
            Sending sending,
            InstantSource clock) {
        this.ids = ids;
        this.domains = domains;
        this.plans = plans;
        this.charges = charges;
        this.sending = sending;
        this.clock = clock;
    }

    /**
     * Writes an address that waits for a mail. One statement.
     *
     * @throws ApiException 422 if the plan allows less, 402 if there is nothing left to pay with
     */
    IssuedAddress waiting(Connection connection, Account account, CreateAddress request) throws SQLException {
        Plan plan = plans.of(account);
        Instant now = clock.instant();
        NewAddress address = newAddress(account, plan, request, Mode.RECEIVE, now);
        return IssuedAddress.of(created(connection, address), domains);
    }

    /**
     * Writes an address and the mail that is sent from it.
     *
     * @throws ApiException 422 if the plan allows less, 402 if there is nothing left to pay with
     */
    IssuedAddress sent(Connection connection, Account account, CreateAddress request, OutgoingMail mail)
            throws SQLException {
        Plan plan = plans.of(account);
        Instant now = clock.instant();
        NewAddress address = newAddress(account, plan, request, Mode.SEND, now);
        mail.requireWithin(plan);
        Address created = created(connection, address);
        sending.enqueue(
                connection, mail, created.id(), domains.addressOf(Mode.SEND, created.id()), created.expiresAt());
        return IssuedAddress.of(created, domains);
    }

    private NewAddress newAddress(Account account, Plan plan, CreateAddress request, Mode mode, Instant now) {
        Instant expiresAt = Timestamps.roundedUp(now.plus(request.ttlWithin(plan)));
        AddressId id = mode == Mode.SEND
                ? ids.issueSending(plan.sizeClass(), expiresAt)
                : ids.issue(plan.sizeClass(), expiresAt);
        return new NewAddress(id.text(), mode, request.checkedLabel(), expiresAt, charges.of(account, now));
    }

    private Address created(Connection connection, NewAddress address) throws SQLException {
        Optional<Address> created = AddressStore.create(connection, address);
        if (created.isEmpty()) {
            Charge charge = address.charge();
            throw charges.refused(connection, charge);
        }
        return created.get();
    }
}
