package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the header of a request with a body says of it. */
public final class JsonContent {

    private static final String JSON = "application/json";

    private JsonContent() {}

    /**
     * Lets JSON pass, with whatever parameters, as long as it is sent as it is.
     *
     * @throws ApiException 415 for everything else, and for nothing
     */
    public static void require(@Nullable String contentType, @Nullable String contentEncoding) {
        if (contentEncoding != null && !contentEncoding.strip().equalsIgnoreCase("identity")) {
            throw new ApiException(ApiError.unsupportedMediaType("Content-Encoding must not be given"));
        }
        String type = contentType == null ? "" : contentType.split(";", 2)[0].strip();
        if (!type.toLowerCase(Locale.ROOT).equals(JSON)) {
            throw new ApiException(ApiError.unsupportedMediaType("Content-Type must be " + JSON));
        }
    }
}
