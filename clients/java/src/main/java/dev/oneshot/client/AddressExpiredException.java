package dev.oneshot.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The address has expired (410): it and its e-mail are deleted. Create a new address. */
public final class AddressExpiredException extends ApiException {

    @Serial
    private static final long serialVersionUID = 1;

    AddressExpiredException(
            int status, String code, String errorMessage, @Nullable String requestId, @Nullable String upgradeUrl) {
        super(status, code, errorMessage, requestId, upgradeUrl);
    }
}
