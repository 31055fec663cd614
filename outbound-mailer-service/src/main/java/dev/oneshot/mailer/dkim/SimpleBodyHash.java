package dev.oneshot.mailer.dkim;

import java.io.OutputStream;
import java.security.MessageDigest;

/**
 * Digests a body in the simple canonical form (RFC 6376 §3.4.3): unchanged but for empty lines at its end.
 * Implementations of the relaxed form disagree on an empty body.
 */
final class SimpleBodyHash extends OutputStream {

    private static final byte[] CRLF = {'\r', '\n'};

    private final MessageDigest digest;
    private long lineEndsPending;

    SimpleBodyHash(MessageDigest digest) {
        this.digest = digest;
    }

    @Override
    public void write(int octet) {
        switch (octet) {
            case '\r' -> {
                // Part of a CRLF: composed bodies have no bare CR.
            }
            case '\n' -> lineEndsPending++;
            default -> {
                for (; lineEndsPending > 0; lineEndsPending--) {
                    digest.update(CRLF);
                }
                digest.update((byte) octet);
            }
        }
    }

    /** The hash of the body, ending with exactly one line end. */
    byte[] finish() {
        digest.update(CRLF);
        return digest.digest();
    }
}
