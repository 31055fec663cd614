package dev.oneshot.local.stack;

/** A message for the user of {@code ./oneshot}, printed without a stack trace. */
public final class StackException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StackException(String message) {
        super(message);
    }
}
