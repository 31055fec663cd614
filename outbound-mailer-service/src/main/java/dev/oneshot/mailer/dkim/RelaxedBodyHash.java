package dev.oneshot.mailer.dkim;

import java.io.OutputStream;
import java.security.MessageDigest;

/** Digests a body in the relaxed canonical form (RFC 6376 §3.4.4), octet by octet. */
final class RelaxedBodyHash extends OutputStream {

    private static final byte[] CRLF = {'\r', '\n'};

    private final MessageDigest digest;
    private final byte[] line = new byte[1000];
    private int lineOctets;
    private boolean lineStarted;
    private boolean blankPending;
    private long emptyLinesPending;

    RelaxedBodyHash(MessageDigest digest) {
        this.digest = digest;
    }

    @Override
    public void write(int octet) {
        switch (octet) {
            case ' ', '\t' -> blankPending = true;
            case '\r' -> {
                // Ends a line together with the LF after it: our bodies have no other.
            }
            case '\n' -> endLine();
            default -> {
                if (blankPending) {
                    append((byte) ' ');
                    blankPending = false;
                }
                append((byte) octet);
            }
        }
    }

    private void append(byte octet) {
        if (lineOctets == line.length) {
            flushLine();
        }
        line[lineOctets++] = octet;
        lineStarted = true;
    }

    private void flushLine() {
        for (; emptyLinesPending > 0; emptyLinesPending--) {
            digest.update(CRLF);
        }
        digest.update(line, 0, lineOctets);
        lineOctets = 0;
    }

    private void endLine() {
        blankPending = false;
        if (!lineStarted) {
            emptyLinesPending++;
            return;
        }
        flushLine();
        digest.update(CRLF);
        lineStarted = false;
    }

    /** The hash. Lines that are empty at the end of the body do not count. */
    byte[] finish() {
        return digest.digest();
    }
}
