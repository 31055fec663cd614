package dev.oneshot.api.operator;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.oneshot.api.account.AccountStore;
import dev.oneshot.api.account.BillingCycle;
import dev.oneshot.api.account.Plan;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * An account as the operator sees it.
 *
 * @param contactEmail only if there is one
 * @param apiKey only in the answer that made it
 * @param monthlyAllocation null if the account's plan is configured no more
 */
@RegisterForReflection
record OperatorAccountView(
        String id,
        String name,
        String plan,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String contactEmail,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String apiKey,
        String createdAt,
        String billingCycleEnds,
        @Nullable Long monthlyAllocation,
        long used,
        long credits) {

    static OperatorAccountView of(AccountStore.Row row, @Nullable Plan plan, Instant now, @Nullable String apiKey) {
        BillingCycle cycle = BillingCycle.at(row.account().createdAt(), now);
        return new OperatorAccountView(
                row.account().id().toString(),
                row.account().name(),
                row.account().plan(),
                row.account().contactEmail(),
                apiKey,
                text(row.account().createdAt()),
                text(cycle.ends()),
                plan == null ? null : plan.addressesPerMonth(),
                row.usage().usedIn(cycle.number()),
                row.usage().credits());
    }

    private static String text(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
