package dev.oneshot.api.address;

import dev.oneshot.api.account.Account;
import dev.oneshot.api.account.BillingCycle;
import dev.oneshot.api.account.Plan;
import dev.oneshot.api.account.Plans;
import dev.oneshot.api.database.DatabaseFaultException;
import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.address.AddressIdCodec;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Creates addresses. */
@ApplicationScoped
class AddressIssuer {

    /** Ids that expire in the same minute share 48 random bits: a second one taken is no accident any more. */
    private static final int ATTEMPTS = 3;

    private final AddressStore addresses;
    private final AddressIdCodec ids;
    private final Plans plans;
    private final InstantSource clock;

    AddressIssuer(AddressStore addresses, AddressIdCodec ids, Plans plans, InstantSource clock) {
        this.addresses = addresses;
        this.ids = ids;
        this.plans = plans;
        this.clock = clock;
    }

    /**
     * Creates a receive-mode address and charges the account for it.
     *
     * @throws ApiException as the contract says for POST /addresses; then nothing was created or charged
     */
    Address create(Account account, CreateAddress request) {
        Mode mode = request.modeOrDefault();
        request.ttl();
        Label label = request.checkedLabel();
        if (mode == Mode.SEND) {
            throw ApiException.invalid("mode send is not offered by this version of the service");
        }
        Plan plan = plans.of(account);
        Duration ttl = request.ttlWithin(plan);
        return create(account, plan, ttl, label);
    }

    private Address create(Account account, Plan plan, Duration ttl, @Nullable Label label) {
        for (int attempt = 1; ; attempt++) {
            Instant now = clock.instant();
            Instant expiresAt = Timestamps.roundedUp(now.plus(ttl));
            AddressId id = ids.issue(plan.sizeClass(), expiresAt);
            BillingCycle cycle = BillingCycle.at(account.createdAt(), now);
            NewAddress address = new NewAddress(id.text(), account.id(), Mode.RECEIVE, label, expiresAt, cycle);
            try {
                return addresses.create(address).orElseThrow(AddressIssuer::accountGone);
            } catch (DatabaseFaultException e) {
                if (!e.isUniqueViolation() || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static ApiException accountGone() {
        return new ApiException(new ApiError.Unauthorized("the account is gone"));
    }
}
