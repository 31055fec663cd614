package dev.oneshot.api.account;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A new API key, the one time that it is shown. */
@RegisterForReflection
@Schema(name = "ApiKey", description = "A new API key.")
public record ApiKeyView(
        @Schema(
                required = true,
                description = "Shown this once: `oneshot_`, 40 random characters, and 16 that sign them. Keys issued by"
                        + " earlier versions have no signature and go on working.",
                pattern = "^oneshot_[0-9A-Za-z]{56}$",
                examples = "oneshot_EXAMPLEexampleEXAMPLEexampleEXAMPLE01234exampleEXAMPLE01")
        String apiKey) {

    /** The view of a key. */
    public static ApiKeyView of(ApiKey key) {
        return new ApiKeyView(key.reveal());
    }
}
