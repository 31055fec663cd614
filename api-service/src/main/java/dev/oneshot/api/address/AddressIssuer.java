package dev.oneshot.api.address;

import dev.oneshot.api.account.Account;
import dev.oneshot.api.database.DatabaseFaultException;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.idempotency.IdempotentRequests;
import dev.oneshot.api.sending.OutgoingMail;
import dev.oneshot.api.sending.Sending;
import jakarta.enterprise.context.ApplicationScoped;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Creates addresses. */
@ApplicationScoped
class AddressIssuer {

    /** Ids that expire in the same second differ by 36 random bits: one taken is an accident, a third one is none. */
    private static final int ATTEMPTS = 3;

    private final AddressWriter addresses;
    private final Sending sending;
    private final IdempotentRequests requests;

    AddressIssuer(AddressWriter addresses, Sending sending, IdempotentRequests requests) {
        this.addresses = addresses;
        this.sending = sending;
        this.requests = requests;
    }

    /**
     * Creates an address and charges the account for it, once for one {@code Idempotency-Key}; in send mode the mail is
     * on its way with the same commit.
     *
     * @throws ApiException as the contract says for POST /addresses; then nothing was created or charged
     */
    CreatedAddressView create(Account account, CreateAddress request) {
        Mode mode = request.modeOrDefault();
        request.ttl();
        request.checkedLabel();
        OutgoingMail mail = mode == Mode.SEND ? sending.check(request.send()) : null;
        for (int attempt = 1; ; attempt++) {
            try {
                return CreatedAddressView.of(issue(account, request, mail), request);
            } catch (DatabaseFaultException e) {
                if (!e.isUniqueViolation() || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private IssuedAddress issue(Account account, CreateAddress request, @Nullable OutgoingMail mail) {
        if (mail == null) {
            return requests.onceInOneStatement(
                    account.id(),
                    RestResponse.StatusCode.CREATED,
                    IssuedAddress.class,
                    connection -> addresses.waiting(connection, account, request));
        }
        IssuedAddress issued = requests.once(
                account.id(),
                RestResponse.StatusCode.CREATED,
                IssuedAddress.class,
                connection -> addresses.sent(connection, account, request, mail));
        sending.committed();
        return issued;
    }
}
