package dev.oneshot.client;

import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An error response of the service. {@link #getMessage()} has all of it: {@code if (e.code().equals("VALIDATION_ERROR"))}. */
public class ApiException extends OneshotException {

    @Serial
    private static final long serialVersionUID = 1;

    private final int status;
    private final String code;
    private final String errorMessage;
    private final @Nullable String requestId;
    private final @Nullable String upgradeUrl;

    ApiException(
            int status, String code, String errorMessage, @Nullable String requestId, @Nullable String upgradeUrl) {
        super(
                code + " (" + status + "): " + errorMessage + (upgradeUrl == null ? "" : "; see " + upgradeUrl)
                        + (requestId == null ? "" : " [request " + requestId + "]"),
                null);
        this.status = status;
        this.code = code;
        this.errorMessage = errorMessage;
        this.requestId = requestId;
        this.upgradeUrl = upgradeUrl;
    }

    /** The HTTP status, 400 to 599. */
    public int status() {
        return status;
    }

    /** The code of the error body, as in {@code VALIDATION_ERROR}; {@code UNKNOWN} if the response has none. */
    public String code() {
        return code;
    }

    /** The message of the error body, which names the member and its bound. */
    public String errorMessage() {
        return errorMessage;
    }

    /** The id of the request in the logs of the service. */
    public Optional<String> requestId() {
        return Optional.ofNullable(requestId);
    }

    /** The URL of the pricing page; only with {@code QUOTA_EXCEEDED}. */
    public Optional<String> upgradeUrl() {
        return Optional.ofNullable(upgradeUrl);
    }
}
