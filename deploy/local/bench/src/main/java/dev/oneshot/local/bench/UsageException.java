package dev.oneshot.local.bench;

/** The command line cannot be understood; the message is for whoever typed it. */
final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
