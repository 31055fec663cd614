package dev.oneshot.api.operator;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.jspecify.annotations.Nullable;

/** The body of POST /operator/accounts/{id}/credits, with JSON's types but unchecked values. */
@RegisterForReflection
record GiveCredits(@Nullable Long credits, @Nullable String reference) {}
