package dev.oneshot.api.error;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** The body of every response that is not a success. */
@RegisterForReflection
public record ErrorBody(Detail error) {

    /** The member {@code error}. */
    @RegisterForReflection
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Detail(
            String code, String message, @Nullable String upgradeUrl) {}

    /** The body of an error. */
    public static ErrorBody of(ApiError error) {
        URI upgradeUrl = error.upgradeUrl();
        return new ErrorBody(
                new Detail(error.code(), error.message(), upgradeUrl == null ? null : upgradeUrl.toString()));
    }
}
