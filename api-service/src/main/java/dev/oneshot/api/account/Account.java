package dev.oneshot.api.account;

import java.time.Instant;
import java.util.UUID;

/**
 * An account, without what changes at every create.
 *
 * @param id the key
 * @param name for people
 * @param plan the name of its plan
 * @param createdAt also the anchor of its billing cycles
 */
public record Account(UUID id, String name, String plan, Instant createdAt) {}
