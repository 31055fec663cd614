package dev.oneshot.ingest.authentication.dkim;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;

/** The SHA-256 of a body in canonical form (RFC 6376 §3.4.3, §3.4.4), read where it is. Only CRLF ends a line. */
final class BodyHash {

    private static final byte[] LINE_END = {'\r', '\n'};
    private static final byte[] RETURN = {'\r'};
    private static final byte[] BLANK = {' '};
    private static final int BUFFER_BYTES = 8 * 1024;

    private final boolean relaxed;
    private final MessageDigest digest = Algorithm.sha256();
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int buffered;
    private long length;
    private long lineEnds;
    private boolean blank;
    private boolean carriageReturn;

    /**
     * The result.
     *
     * @param octets the hash
     * @param length of the canonical body
     */
    @SuppressWarnings("ArrayRecordComponent") // Compared by MessageDigest.isEqual.
    record Hash(byte[] octets, long length) {}

    private BodyHash(boolean relaxed) {
        this.relaxed = relaxed;
    }

    static Hash of(List<ByteBuffer> body, boolean relaxed) {
        BodyHash hash = new BodyHash(relaxed);
        for (ByteBuffer piece : body) {
            int from = piece.arrayOffset() + piece.position();
            hash.add(piece.array(), from, piece.arrayOffset() + piece.limit());
        }
        return hash.finish();
    }

    private void add(byte[] octets, int from, int to) {
        int at = from;
        while (at < to) {
            int run = at;
            while (run < to && !isSpecial(octets[run])) {
                run++;
            }
            if (run == at || carriageReturn) {
                add(octets[at++]);
            } else {
                writePending();
                put(octets, at, run - at);
                at = run;
            }
        }
    }

    private boolean isSpecial(byte octet) {
        return octet == '\r' || (relaxed && (octet == ' ' || octet == '\t'));
    }

    private void add(byte octet) {
        if (carriageReturn) {
            carriageReturn = false;
            if (octet == '\n') {
                lineEnds++;
                blank = false;
                return;
            }
            writePending();
            put(RETURN, 0, 1);
        }
        if (octet == '\r') {
            carriageReturn = true;
        } else if (relaxed && (octet == ' ' || octet == '\t')) {
            blank = true;
        } else {
            writePending();
            put(new byte[] {octet}, 0, 1);
        }
    }

    /** Writes the line ends and the blank that precede further content. */
    private void writePending() {
        for (; lineEnds > 0; lineEnds--) {
            put(LINE_END, 0, LINE_END.length);
        }
        if (blank) {
            blank = false;
            put(BLANK, 0, 1);
        }
    }

    private void put(byte[] octets, int from, int count) {
        length += count;
        if (count > buffer.length - buffered) {
            digest.update(buffer, 0, buffered);
            buffered = 0;
        }
        if (count > buffer.length) {
            digest.update(octets, from, count);
        } else {
            System.arraycopy(octets, from, buffer, buffered, count);
            buffered += count;
        }
    }

    private Hash finish() {
        if (carriageReturn) {
            writePending();
            put(RETURN, 0, 1);
        }
        if (length > 0 || !relaxed) {
            put(LINE_END, 0, LINE_END.length);
        }
        digest.update(buffer, 0, buffered);
        return new Hash(digest.digest(), length);
    }
}
