package dev.oneshot.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The account of the API key: {@code client.getAccount().credits()}.
 *
 * @param id the id of the account
 * @param name its name
 * @param plan the name of its plan
 * @param billingCycleEnds when the monthly allocation starts again
 * @param monthlyAllocation how many addresses the plan includes in a billing cycle
 * @param used how many of them are used
 * @param credits purchased credits, used after the allocation
 * @param limits the limits of the plan
 * @param contactEmail where the service writes to, or null
 */
public record Account(
        String id,
        String name,
        String plan,
        Instant billingCycleEnds,
        long monthlyAllocation,
        long used,
        long credits,
        Limits limits,
        @Nullable String contactEmail) {

    /**
     * The limits of a plan.
     *
     * @param maxTtlSeconds the longest lifetime of an address in seconds
     * @param maxEmailBytes the largest e-mail in bytes, received or sent
     * @param maxAttachmentBytes the largest decoded attachment in bytes
     * @param requestsPerSecond the rate of requests
     * @param burst how many requests may come at once
     */
    public record Limits(
            int maxTtlSeconds, long maxEmailBytes, long maxAttachmentBytes, int requestsPerSecond, int burst) {}
}
