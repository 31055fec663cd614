package dev.oneshot.api.account;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The response of GET /account. */
@RegisterForReflection
@Schema(name = "Account", description = "An account, its plan and what is left of it.")
record AccountView(
        @Schema(
                required = true,
                description = "The id of the account.",
                examples = "0b6f1c4e-9a53-4f5e-8d0e-2f6c1f1f7a10")
        String id,

        @Schema(required = true, description = "The name of the account.", examples = "Example Ltd")
        String name,

        @Schema(required = true, description = "The name of the plan.", examples = "pro")
        String plan,

        @Schema(
                required = true,
                format = "date-time",
                description = "When the billing cycle ends and the allocation starts again, in UTC.",
                examples = "2026-02-28T09:30:00Z")
        String billingCycleEnds,

        @Schema(
                required = true,
                minimum = "0",
                description = "How many addresses the plan includes in a billing cycle.",
                examples = "10000")
        long monthlyAllocation,

        @Schema(
                required = true,
                minimum = "0",
                description = "How much of the allocation is used in this billing cycle.",
                examples = "1207")
        long used,

        @Schema(
                required = true,
                minimum = "0",
                description = "Purchased credits, spent when the allocation is used up.",
                examples = "500")
        long credits,

        @Schema(required = true, description = "What the plan allows.")
        Limits limits,

        @Schema(
                description = "The mailbox that the service writes to about the account, if the operator has set one.",
                examples = "ops@example.com")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable
        String contactEmail) {

    /** What the plan allows. */
    @RegisterForReflection
    @Schema(name = "AccountLimits", description = "What the plan allows.")
    record Limits(
            @Schema(required = true, description = "The longest lifetime of an address.", examples = "86400")
            int maxTtlSeconds,

            @Schema(
                    required = true,
                    description = "The largest e-mail, received or sent. Larger ones are rejected.",
                    examples = "8388608")
            int maxEmailBytes,

            @Schema(
                    required = true,
                    description = "The largest attachment when decoded, received or sent. Larger ones are rejected.",
                    examples = "4194304")
            int maxAttachmentBytes,

            @Schema(required = true, description = "The rate of requests.", examples = "50")
            int requestsPerSecond,

            @Schema(required = true, description = "How many requests may come at once.", examples = "100")
            int burst) {}

    static AccountView of(AccountStore.Row row, Plan plan, Instant now) {
        BillingCycle cycle = BillingCycle.at(row.account().createdAt(), now);
        return new AccountView(
                row.account().id().toString(),
                row.account().name(),
                row.account().plan(),
                cycle.ends().truncatedTo(ChronoUnit.SECONDS).toString(),
                plan.addressesPerMonth(),
                row.usage().usedIn(cycle.number()),
                row.usage().credits(),
                new Limits(
                        plan.ttlSecondsMax(),
                        plan.sizeClass().messageBytesMax(),
                        plan.sizeClass().attachmentBytesMax(),
                        plan.requestsPerSecond(),
                        plan.burst()),
                row.account().contactEmail());
    }
}
