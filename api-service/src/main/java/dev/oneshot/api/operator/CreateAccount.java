package dev.oneshot.api.operator;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.jspecify.annotations.Nullable;

/** The body of POST /operator/accounts, with JSON's types but unchecked values. */
@RegisterForReflection
record CreateAccount(
        @Nullable String name,
        @Nullable String plan,
        @Nullable String contactEmail) {}
