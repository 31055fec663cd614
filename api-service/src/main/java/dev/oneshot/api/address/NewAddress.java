package dev.oneshot.api.address;

import dev.oneshot.api.account.BillingCycle;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An address to be created and charged for.
 *
 * @param cycle the account's billing cycle that it counts in
 */
record NewAddress(
        String id, UUID accountId, Mode mode, @Nullable Label label, Instant expiresAt, BillingCycle cycle) {}
