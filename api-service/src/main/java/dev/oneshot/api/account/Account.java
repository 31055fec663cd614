package dev.oneshot.api.account;

import java.time.Instant;
import java.util.UUID;

/**
 * An account, without its usage, which each create changes.
 *
 * @param plan the name of the plan
 * @param createdAt also the anchor of its billing cycles
 */
public record Account(UUID id, String plan, Instant createdAt) {}
