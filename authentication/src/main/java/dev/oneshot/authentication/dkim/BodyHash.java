package dev.oneshot.authentication.dkim;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/** The SHA-256 of a body in canonical form (RFC 6376 §3.4.3, §3.4.4), computed without a copy. Only CRLF ends a line. */
final class BodyHash {

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
        if (body.size() == 1 && hash.takeCanonical(body.getFirst())) {
            return hash.finish();
        }
        for (ByteBuffer piece : body) {
            byte[] octets = piece.array();
            int end = piece.arrayOffset() + piece.limit();
            int at = piece.arrayOffset() + piece.position();
            while (at < end) {
                // What precedes other octets of a line is written with the first of them.
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

    /**
     * Takes a body that is canonical but for the empty lines at its end, as most are. The searches in a string are much
     * faster than reading each octet.
     *
     * @return false if it is not, and nothing was taken
     */
    private boolean takeCanonical(ByteBuffer body) {
        int start = body.arrayOffset() + body.position();
        String text = new String(body.array(), start, body.remaining(), StandardCharsets.ISO_8859_1);
        boolean isCanonical = !relaxed
                || !(text.contains("  ") || text.contains(" \r") || text.indexOf('\t') >= 0 || text.endsWith(" "));
        if (isCanonical) {
            int end = text.length();
            while (text.startsWith("\r\n", end - 2)) {
                end -= 2;
            }
            digest.update(body.array(), start, end);
            length = end;
        }
        return isCanonical;
    }

    /** Whether an octet is written as it is, because nothing precedes it that is not written yet. */
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
