package dev.oneshot.api.account;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A new API key, the one time that it is shown. */
@RegisterForReflection
@Schema(name = "ApiKey", description = "A new API key.")
public record ApiKeyView(
        @Schema(
                required = true,
                description = "The key. It is shown only once.",
                examples = "oneshot_EXAMPLEexampleEXAMPLEexampleEXAMPLE01234")
        String apiKey) {

    /** The view of a key. */
    public static ApiKeyView of(ApiKey key) {
        return new ApiKeyView(key.reveal());
    }
}
