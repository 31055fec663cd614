package dev.oneshot.authentication.spf;

import java.io.Serial;

/** Ends a check with an error and its reason. Without a stack trace, as senders can cause any number of these. */
public final class SpfException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final SpfResult result;

    SpfException(SpfResult result, String reason) {
        super(reason, null, false, false);
        this.result = result;
    }

    /** @throws SpfException a permanent error, if not valid */
    static void require(boolean valid, String reason) {
        if (!valid) {
            throw new SpfException(SpfResult.PERMERROR, reason);
        }
    }

    /** {@code temperror} or {@code permerror}. */
    public SpfResult result() {
        return result;
    }
}
