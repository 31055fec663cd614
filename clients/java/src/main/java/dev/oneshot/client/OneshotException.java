package dev.oneshot.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A call that failed. Thrown itself if there is no usable response: the service cannot be reached, does not respond in time, or
 * its response is broken, too large or not of this API.
 */
public class OneshotException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    OneshotException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
