package dev.oneshot.api.account;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The answer of GET /account. */
@RegisterForReflection
@Schema(name = "Account")
record AccountView(
        @Schema(required = true, examples = "0b6f1c4e-9a53-4f5e-8d0e-2f6c1f1f7a10")
        String id,

        @Schema(required = true, examples = "Example Ltd") String name,

        @Schema(required = true, examples = "pro") String plan,

        @Schema(
                required = true,
                nullable = true,
                description = "The mailbox that the service writes to about the account. The operator sets it.",
                examples = "ops@example.com")
        @Nullable
        String contactEmail,

        @Schema(
                required = true,
                format = "date-time",
                description = "When the allocation is whole again.",
                examples = "2026-02-28T09:30:00Z")
        String billingCycleEnds,

        @Schema(required = true, minimum = "0", examples = "10000")
        long monthlyAllocation,

        @Schema(
                required = true,
                minimum = "0",
                description = "How much of the allocation is used in this billing cycle.",
                examples = "1207")
        long used,

        @Schema(required = true, minimum = "0", description = "Spent once the allocation is used up.", examples = "500")
        long credits,

        @Schema(required = true) Limits limits) {

    /** What the plan allows. */
    @RegisterForReflection
    @Schema(name = "AccountLimits")
    record Limits(
            @Schema(required = true, examples = "86400") int maxTtlSeconds,

            @Schema(
                    required = true,
                    description = "The largest mail, in both directions. A larger one that comes in is refused"
                            + " where it is sent from.",
                    examples = "8388608")
            int maxEmailBytes,

            @Schema(
                    required = true,
                    description = "The largest attachment once decoded, in both directions. A mail that comes in"
                            + " with a larger one is refused where it is sent from.",
                    examples = "4194304")
            int maxAttachmentBytes,

            @Schema(required = true, examples = "50") int requestsPerSecond,
            @Schema(required = true, examples = "100") int burst) {}

    static AccountView of(AccountStore.Row row, Plan plan, Instant now) {
        BillingCycle cycle = BillingCycle.at(row.account().createdAt(), now);
        return new AccountView(
                row.account().id().toString(),
                row.account().name(),
                row.account().plan(),
                row.account().contactEmail(),
                cycle.ends().truncatedTo(ChronoUnit.SECONDS).toString(),
                plan.addressesPerMonth(),
                row.usage().usedIn(cycle.number()),
                row.usage().credits(),
                new Limits(
                        plan.ttlSecondsMax(),
                        plan.sizeClass().messageBytesMax(),
                        plan.sizeClass().attachmentBytesMax(),
                        plan.requestsPerSecond(),
                        plan.burst()));
    }
}
