package dev.oneshot.api.address;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;

/**
 * A new address, without the values of its request. It is kept as JSON for an {@code Idempotency-Key}, so later
 * versions must be able to read it.
 */
@RegisterForReflection
record CreatedAddress(String id, String address, Mode mode, Status status, Instant expiresAt) {}
