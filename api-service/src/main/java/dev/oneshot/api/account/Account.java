package dev.oneshot.api.account;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An account, without the values that each create changes.
 *
 * @param id the key
 * @param name for people
 * @param plan the name of its plan
 * @param contactEmail the mailbox the service writes to; null if there is none
 * @param createdAt also the anchor of its billing cycles
 */
public record Account(
        UUID id, String name, String plan, @Nullable String contactEmail, Instant createdAt) {}
