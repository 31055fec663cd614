package dev.oneshot.authentication.dkim;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;

/** The SHA-256 of a body in canonical form (RFC 6376 §3.4.3, §3.4.4), computed without a copy. Only CRLF ends a line. */
final class BodyHash {

    private static final int BUFFER_BYTES = 8 * 1024;
    private static final byte[] LINE_END = {'\r', '\n'};

    private final boolean relaxed;
    private final MessageDigest digest = Algorithm.sha256();
    private byte[] buffer = {};
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
        if (body.size() == 1 && isCanonical(body.getFirst(), relaxed)) {
            return hash.ofCanonical(body.getFirst());
        }
        hash.buffer = new byte[BUFFER_BYTES];
        for (ByteBuffer piece : body) {
            byte[] octets = piece.array();
            int end = piece.arrayOffset() + piece.limit();
            int at = piece.arrayOffset() + piece.position();
            while (at < end) {
                // Held blanks and line ends are written with the next octet.
                hash.add(octets[at++]);
                int plain = at;
                while (plain < end && hash.isPlain(octets[plain])) {
                    plain++;
                }
                hash.put(octets, at, plain);
                at = plain;
            }
        }
        return hash.finish();
    }

    /** Whether a body is canonical but for the empty lines at its end, as most are. */
    private static boolean isCanonical(ByteBuffer body, boolean relaxed) {
        byte[] octets = body.array();
        int start = body.arrayOffset() + body.position();
        int end = body.arrayOffset() + body.limit();
        if (!relaxed || start == end) {
            return true;
        }
        for (int i = start; i < end; i++) {
            // Few octets pass the first comparison.
            if (octets[i] <= ' ' && (octets[i] == '\t' || (i > start && isBlankBefore(octets, i)))) {
                return false;
            }
        }
        return octets[end - 1] != ' ';
    }

    /** Whether the octet at an index is a blank or CR after a blank. */
    private static boolean isBlankBefore(byte[] octets, int at) {
        return octets[at - 1] == ' ' && (octets[at] == ' ' || octets[at] == '\r');
    }

    /** Hashes a canonical body without copying it. */
    private Hash ofCanonical(ByteBuffer body) {
        byte[] octets = body.array();
        int start = body.arrayOffset() + body.position();
        int end = body.arrayOffset() + body.limit();
        while (end - start >= LINE_END.length && octets[end - 2] == '\r' && octets[end - 1] == '\n') {
            end -= LINE_END.length;
        }
        digest.update(octets, start, end - start);
        boolean isEmpty = end == start;
        if (!isEmpty || !relaxed) {
            digest.update(LINE_END);
        }
        return new Hash(digest.digest(), end - start + (isEmpty && relaxed ? 0 : LINE_END.length));
    }

    /** Whether an octet is written as it is: nothing is held back before it. */
    private boolean isPlain(byte octet) {
        boolean isHeldBack = octet == '\r' || (relaxed && (octet == ' ' || octet == '\t'));
        return !isHeldBack && lineEnds == 0 && !blank && !carriageReturn;
    }

    private void add(byte octet) {
        if (carriageReturn) {
            carriageReturn = false;
            if (octet == '\n') {
                lineEnds++;
                blank = false;
                return;
            }
            write((byte) '\r');
        }
        if (octet == '\r') {
            carriageReturn = true;
        } else if (relaxed && (octet == ' ' || octet == '\t')) {
            blank = true;
        } else {
            write(octet);
        }
    }

    /** Writes an octet after the line ends and the blank that precede it. */
    private void write(byte octet) {
        for (; lineEnds > 0; lineEnds--) {
            putLineEnd();
        }
        if (blank) {
            blank = false;
            put((byte) ' ');
        }
        put(octet);
    }

    private void putLineEnd() {
        put((byte) '\r');
        put((byte) '\n');
    }

    private void put(byte[] octets, int from, int to) {
        int count = to - from;
        if (buffered + count > buffer.length) {
            digest.update(buffer, 0, buffered);
            digest.update(octets, from, count);
            buffered = 0;
        } else {
            System.arraycopy(octets, from, buffer, buffered, count);
            buffered += count;
        }
        length += count;
    }

    private void put(byte octet) {
        if (buffered == buffer.length) {
            digest.update(buffer);
            buffered = 0;
        }
        buffer[buffered++] = octet;
        length++;
    }

    private Hash finish() {
        if (carriageReturn) {
            write((byte) '\r');
        }
        if (length > 0 || !relaxed) {
            putLineEnd();
        }
        digest.update(buffer, 0, buffered);
        return new Hash(digest.digest(), length);
    }
}
