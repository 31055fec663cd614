package dev.oneshot.ingest.authentication.spf;

import java.io.Serial;

/** Ends a check with an error. Without a stack trace, as senders can cause any number of these. */
final class SpfException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final SpfResult result;

    SpfException(SpfResult result) {
        super(result.name(), null, false, false);
        this.result = result;
    }

    /** @throws SpfException a permanent error, if not valid */
    static void require(boolean valid) {
        if (!valid) {
            throw new SpfException(SpfResult.PERMERROR);
        }
    }

    SpfResult result() {
        return result;
    }
}
