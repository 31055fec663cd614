package dev.oneshot.api.error;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.net.URI;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The body of every response that is not a success. */
@RegisterForReflection
@Schema(name = "Error", description = "The body of every response that is not a success.")
public record ErrorEnvelope(
        @Schema(required = true, description = "What went wrong.")
        Detail error) {

    /** What is inside of the envelope. */
    @RegisterForReflection
    @Schema(name = "ErrorDetail", description = "What went wrong.")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Detail(
            @Schema(required = true, description = "Machine-readable; use it for handling.", examples = "NOT_FOUND")
            String code,

            @Schema(
                    required = true,
                    description = "For people; names the member and its bound.",
                    examples = "there is no such address")
            String message,

            @Schema(description = "The URL of the pricing page; only with QUOTA_EXCEEDED.", nullable = true) @Nullable
            String upgradeUrl) {}

    /** The envelope of an error. */
    public static ErrorEnvelope of(ApiError error) {
        URI upgradeUrl = error.upgradeUrl();
        return new ErrorEnvelope(
                new Detail(error.code(), error.message(), upgradeUrl == null ? null : upgradeUrl.toString()));
    }
}
