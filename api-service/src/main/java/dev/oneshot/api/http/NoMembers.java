package dev.oneshot.api.http;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A body of which nothing is read, but which must be an object, or empty. */
@RegisterForReflection
@Schema(name = "NoMembers", description = "An object without members; unknown ones are ignored.")
public record NoMembers() {}
