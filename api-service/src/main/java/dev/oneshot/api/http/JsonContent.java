package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The header Content-Type of a request with a body. */
public final class JsonContent {

    private static final String JSON = "application/json";

    private JsonContent() {}

    /**
     * Lets JSON pass, with whatever parameters.
     *
     * @throws ApiException 415 for everything else, and for nothing
     */
    public static void require(@Nullable String contentType) {
        String type = contentType == null ? "" : contentType.split(";", 2)[0].strip();
        if (!type.toLowerCase(Locale.ROOT).equals(JSON)) {
            throw new ApiException(ApiError.unsupportedMediaType("Content-Type must be " + JSON));
        }
    }
}
