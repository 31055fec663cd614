package dev.oneshot.contracts.event;

import java.io.Serial;

/** A record in a wrong format for its topic. It belongs on the dead letter topic. */
public final class EventFormatException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    public EventFormatException(String message) {
        super(message);
    }

    public EventFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
