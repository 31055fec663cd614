package dev.oneshot.api.operator;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.jspecify.annotations.Nullable;

/** The body of PATCH /operator/accounts/{id}, with JSON's types but unchecked values; what is null is kept. */
@RegisterForReflection
record ChangeAccount(
        @Nullable String name,
        @Nullable String plan,
        @Nullable String contactEmail) {}
