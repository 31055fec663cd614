package dev.oneshot.api.address;

import dev.oneshot.api.account.Charge;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An address to be created and charged for.
 *
 * @param charge what its account pays for it
 */
record NewAddress(String id, Mode mode, @Nullable Label label, Instant expiresAt, Charge charge) {}
