package dev.oneshot.api.address;

import dev.oneshot.api.account.Account;
import dev.oneshot.api.account.Charge;
import dev.oneshot.api.account.Charges;
import dev.oneshot.api.account.Plan;
import dev.oneshot.api.account.Plans;
import dev.oneshot.api.database.DatabaseFaultException;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.idempotency.Answer;
import dev.oneshot.api.idempotency.IdempotentRequests;
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
import org.jspecify.annotations.Nullable;

/** Creates addresses. */
@ApplicationScoped
class AddressIssuer {

    /** Ids that expire in the same minute share 48 random bits: a second one taken is no accident any more. */
    private static final int ATTEMPTS = 3;

    private final AddressIdCodec ids;
    private final AddressDomains domains;
    private final Plans plans;
    private final Charges charges;
    private final Sending sending;
    private final IdempotentRequests requests;
    private final InstantSource clock;

    AddressIssuer(
            AddressIdCodec ids,
            AddressDomains domains,
            Plans plans,
            Charges charges,
            Sending sending,
            IdempotentRequests requests,
            InstantSource clock) {
        this.ids = ids;
        this.domains = domains;
        this.plans = plans;
        this.charges = charges;
        this.sending = sending;
        this.requests = requests;
        this.clock = clock;
    }

    /**
     * Creates an address and charges the account for it, once for one {@code Idempotency-Key}; in send mode the mail is
     * on its way with the same commit.
     *
     * @throws ApiException as the contract says for POST /addresses; then nothing was created or charged
     */
    Answer create(Account account, CreateAddress request) {
        Mode mode = request.modeOrDefault();
        request.ttl();
        Label label = request.checkedLabel();
        OutgoingMail mail = mode == Mode.SEND ? sending.check(request.send()) : null;
        for (int attempt = 1; ; attempt++) {
            try {
                return mail == null
                        ? requests.onceInOneStatement(
                                account.id(), 201, connection -> create(connection, account, request, label, null))
                        : send(account, request, label, mail);
            } catch (DatabaseFaultException e) {
                if (!e.isUniqueViolation() || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private Answer send(Account account, CreateAddress request, @Nullable Label label, OutgoingMail mail) {
        Answer answer =
                requests.once(account.id(), 201, connection -> create(connection, account, request, label, mail));
        sending.committed();
        return answer;
    }

    private CreatedAddressView create(
            Connection connection,
            Account account,
            CreateAddress request,
            @Nullable Label label,
            @Nullable OutgoingMail mail)
            throws SQLException {
        Plan plan = plans.of(account);
        Instant now = clock.instant();
        Instant expiresAt = Timestamps.roundedUp(now.plus(request.ttlWithin(plan)));
        if (mail != null) {
            mail.requireWithin(plan);
        }
        AddressId id = ids.issue(plan.sizeClass(), expiresAt);
        Charge charge = charges.of(account, now);
        Mode mode = mail == null ? Mode.RECEIVE : Mode.SEND;
        Optional<Address> created =
                AddressStore.create(connection, new NewAddress(id.text(), mode, label, expiresAt, charge));
        if (created.isEmpty()) {
            throw charges.refused(connection, charge);
        }
        if (mail == null) {
            return CreatedAddressView.of(created.get(), domains, null);
        }
        sending.enqueue(connection, mail, id.text(), domains.addressOf(Mode.SEND, id.text()), expiresAt);
        return CreatedAddressView.of(
                created.get(),
                domains,
                request.send() == null ? null : request.send().to());
    }
}
