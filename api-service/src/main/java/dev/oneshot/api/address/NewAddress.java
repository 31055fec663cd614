package dev.oneshot.api.address;

import dev.oneshot.api.account.Plan;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.contracts.event.MailRequested;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A valid request for a new address.
 *
 * @param ttlSeconds null for the default
 * @param mail that is sent from the address; null in receive mode
 */
record NewAddress(@Nullable Long ttlSeconds, @Nullable Label label, MailRequested.@Nullable Mail mail) {

    private static final long TTL_SECONDS_DEFAULT = 3_600;

    Mode mode() {
        return mail == null ? Mode.RECEIVE : Mode.SEND;
    }

    /**
     * How long the address lives on a plan. A default that is too long for the plan is reduced, not rejected.
     *
     * @throws ApiException 422 if the plan allows less
     */
    Duration ttlWithin(Plan plan) {
        if (ttlSeconds == null) {
            return Duration.ofSeconds(Math.min(TTL_SECONDS_DEFAULT, plan.ttlSecondsMax()));
        }
        if (ttlSeconds > plan.ttlSecondsMax()) {
            throw ApiException.unprocessable(
                    "ttl_seconds must be at most " + plan.ttlSecondsMax() + " on the plan " + plan.name());
        }
        return Duration.ofSeconds(ttlSeconds);
    }
}
