package dev.oneshot.mailer.dkim;

import dev.oneshot.mailer.compose.MimeBody;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Digests a body in the simple canonical form (RFC 6376 §3.4.3): unchanged but for empty lines at its end.
 * Implementations of the relaxed form disagree on an empty body.
 */
final class SimpleBodyHash extends OutputStream {

    private static final byte[] CRLF = {'\r', '\n'};

    private final MessageDigest digest;
    private long lineEndsPending;

    private SimpleBodyHash(MessageDigest digest) {
        this.digest = digest;
    }

    /** The hash of a body in this form, which ends with exactly one line end. */
    static byte[] of(MimeBody body) throws IOException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (OutputStream buffered = new BufferedOutputStream(new SimpleBodyHash(digest))) {
            body.writeTo(buffered);
        }
        digest.update(CRLF);
        return digest.digest();
    }

    @Override
    public void write(int octet) {
        if (octet == '\n') {
            lineEndsPending++;
        } else if (octet != '\r') { // Composed bodies have no bare CR.
            for (; lineEndsPending > 0; lineEndsPending--) {
                digest.update(CRLF);
            }
            digest.update((byte) octet);
        }
    }
}
