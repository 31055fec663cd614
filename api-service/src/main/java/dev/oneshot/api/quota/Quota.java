package dev.oneshot.api.quota;

import dev.oneshot.api.account.Account;
import dev.oneshot.api.account.AccountStore;
import dev.oneshot.api.account.BillingCycle;
import dev.oneshot.api.account.Caller;
import dev.oneshot.api.account.Plans;
import dev.oneshot.api.error.ApiException;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.time.Instant;

/** Charges accounts for addresses, and rejects those that cannot pay with 402. */
@ApplicationScoped
public class Quota {

    private final Plans plans;
    private final AccountStore accounts;
    private final URI upgradeUrl;

    Quota(Plans plans, AccountStore accounts, Plans.Config config) {
        this.plans = plans;
        this.accounts = accounts;
        this.upgradeUrl = config.upgradeUrl();
    }

    /** The charge for one address at this moment. */
    public QuotaCharge of(Account account, Instant now) {
        int cycle = BillingCycle.at(account.createdAt(), now).number();
        return new QuotaCharge(account.id(), cycle, plans.of(account));
    }

    /** The error when an account could not be charged: 402, or 401 if the account has been deleted. */
    public ApiException refused(QuotaCharge charge) {
        return accounts.find(charge.accountId()).isPresent()
                ? ApiException.quotaExceeded("the monthly allocation is used up and there are no credits", upgradeUrl)
                : Caller.gone();
    }
}
