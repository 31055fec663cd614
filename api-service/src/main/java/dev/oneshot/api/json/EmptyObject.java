package dev.oneshot.api.json;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** A body without members: an object, or empty. Unknown members are ignored. */
@RegisterForReflection
public record EmptyObject() {}
