package dev.oneshot.api.account;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;

/** What accounts pay for addresses. */
@ApplicationScoped
public class Charges {

    private final Plans plans;
    private final URI upgradeUrl;

    Charges(Plans plans, PlanConfig config) {
        this.plans = plans;
        this.upgradeUrl = config.upgradeUrl();
    }

    /** The charge for one address at this moment. */
    public Charge of(Account account, Instant now) {
        int cycle = BillingCycle.at(account.createdAt(), now).number();
        return new Charge(account.id(), cycle, plans.of(account).addressesPerMonth());
    }

    /** What to answer when an account could not be charged: 402, or 401 if it was deleted meanwhile. */
    public ApiException refused(Connection connection, Charge charge) throws SQLException {
        ApiError error = charge.accountExists(connection)
                ? ApiError.quotaExceeded("the monthly allocation is used up and there are no credits", upgradeUrl)
                : ApiError.unauthorized("the account is gone");
        return new ApiException(error);
    }
}
