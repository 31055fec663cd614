package dev.oneshot.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** There is no such address, e-mail or attachment (404), or not yet, or it belongs to another account. */
public final class NotFoundException extends ApiException {

    @Serial
    private static final long serialVersionUID = 1;

    NotFoundException(
            int status, String code, String errorMessage, @Nullable String requestId, @Nullable String upgradeUrl) {
        super(status, code, errorMessage, requestId, upgradeUrl);
    }
}
