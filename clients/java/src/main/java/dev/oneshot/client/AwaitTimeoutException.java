package dev.oneshot.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** No e-mail arrived in time. {@link #getMessage()} has the address, its state, and how often it was read. */
public final class AwaitTimeoutException extends OneshotException {

    @Serial
    private static final long serialVersionUID = 1;

    AwaitTimeoutException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
