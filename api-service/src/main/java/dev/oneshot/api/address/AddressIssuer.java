package dev.oneshot.api.address;

import dev.oneshot.api.account.Account;
import dev.oneshot.api.account.BillingCycle;
import dev.oneshot.api.account.Plan;
import dev.oneshot.api.account.Plans;
import dev.oneshot.api.database.Database;
import dev.oneshot.api.database.DatabaseFaultException;
import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.sending.OutgoingMail;
import dev.oneshot.api.sending.Sending;
import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.address.AddressIdCodec;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates addresses. */
@ApplicationScoped
class AddressIssuer {

    /** Ids that expire in the same minute share 48 random bits: a second one taken is no accident any more. */
    private static final int ATTEMPTS = 3;

    private final Database database;
    private final AddressIdCodec ids;
    private final AddressDomains domains;
    private final Plans plans;
    private final Sending sending;
    private final InstantSource clock;

    AddressIssuer(
            Database database,
            AddressIdCodec ids,
            AddressDomains domains,
            Plans plans,
            Sending sending,
            InstantSource clock) {
        this.database = database;
        this.ids = ids;
        this.domains = domains;
        this.plans = plans;
        this.sending = sending;
        this.clock = clock;
    }

    /**
     * Creates an address and charges the account for it; in send mode the mail is on its way with the same commit.
     *
     * @throws ApiException as the contract says for POST /addresses; then nothing was created or charged
     */
    Address create(Account account, CreateAddress request) {
        Mode mode = request.modeOrDefault();
        request.ttl();
        Label label = request.checkedLabel();
        OutgoingMail mail = mode == Mode.SEND ? sending.check(request.send()) : null;
        Plan plan = plans.of(account);
        Duration ttl = request.ttlWithin(plan);
        if (mail == null) {
            return create(account, plan, ttl, label, null);
        }
        mail.requireWithin(plan);
        Address created = create(account, plan, ttl, label, mail);
        sending.committed();
        return created;
    }

    private Address create(
            Account account, Plan plan, Duration ttl, @Nullable Label label, @Nullable OutgoingMail mail) {
        for (int attempt = 1; ; attempt++) {
            Instant now = clock.instant();
            Instant expiresAt = Timestamps.roundedUp(now.plus(ttl));
            AddressId id = ids.issue(plan.sizeClass(), expiresAt);
            BillingCycle cycle = BillingCycle.at(account.createdAt(), now);
            Mode mode = mail == null ? Mode.RECEIVE : Mode.SEND;
            NewAddress address = new NewAddress(id.text(), account.id(), mode, label, expiresAt, cycle);
            try {
                return (mail == null
                                ? database.statement(connection -> AddressStore.create(connection, address))
                                : database.transaction(connection -> createSending(connection, address, mail)))
                        .orElseThrow(AddressIssuer::accountGone);
            } catch (DatabaseFaultException e) {
                if (!e.isUniqueViolation() || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private Optional<Address> createSending(Connection connection, NewAddress address, OutgoingMail mail)
            throws SQLException {
        Optional<Address> created = AddressStore.create(connection, address);
        if (created.isPresent()) {
            String from = domains.addressOf(Mode.SEND, address.id());
            sending.enqueue(connection, mail, address.id(), from, address.expiresAt());
        }
        return created;
    }

    private static ApiException accountGone() {
        return new ApiException(new ApiError.Unauthorized("the account is gone"));
    }
}
