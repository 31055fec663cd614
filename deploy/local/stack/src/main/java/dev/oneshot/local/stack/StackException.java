package dev.oneshot.local.stack;

/** What the person at the keyboard has to know, in words for them: printed without a stack trace. */
public final class StackException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StackException(String message) {
        super(message);
    }

    StackException(String message, Throwable cause) {
        super(message, cause);
    }
}
