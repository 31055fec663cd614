package dev.oneshot.mailer.dkim;

import java.io.OutputStream;
import java.security.MessageDigest;

/**
 * Digests a body in the simple canonical form (RFC 6376 §3.4.3): as it is, but for empty lines at its end. The relaxed
 * form would survive changed blanks, but implementations do not agree on what it makes of an empty body.
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
                // Ends a line together with the LF after it: our bodies have no other.
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

    /** The hash. The body counts as ending with one line end, whatever it ends with. */
    byte[] finish() {
        digest.update(CRLF);
        return digest.digest();
    }
}
