package dev.oneshot.ingest.smtp.data;

import java.nio.ByteBuffer;

/**
 * Removes dot-stuffing, and finds the end of the data: only CRLF.CRLF (RFC 5321 §4.5.2, §4.1.1.4). A bare CR or LF is
 * content. Bytes may arrive in pieces of any size.
 */
public final class DataReader {

    private enum Position {
        LINE_START,
        IN_LINE,
        AFTER_CR,
        AFTER_DOT,
        AFTER_DOT_CR
    }

    private static final byte[] CR = {'\r'};

    private Position position = Position.LINE_START;

    /**
     * Moves bytes into the content, as many as it has memory for. If bytes remain, the first of them needs more
     * memory.
     *
     * @return whether the end of the data has been read
     */
    public boolean read(ByteBuffer input, Content content) {
        byte[] source = input.array();
        int base = input.arrayOffset();
        int at = base + input.position();
        int end = base + input.limit();
        // Bytes from here on are content, not appended yet.
        int pending = at;
        boolean ended = false;
        while (at < end && !ended) {
            byte octet = source[at];
            if (at - pending >= content.capacity() && isContent(octet)) {
                content.append(source, pending, at);
                pending = at;
                if (content.capacity() == 0 && !content.reserveMore()) {
                    break;
                }
            }
            switch (position) {
                case IN_LINE ->
                    at = afterCarriageReturn(source, at, (int) Math.min(end, (long) pending + content.capacity()));
                case LINE_START -> {
                    if (octet == '.') {
                        content.append(source, pending, at);
                        pending = ++at;
                        position = Position.AFTER_DOT;
                    } else {
                        position = Position.IN_LINE;
                    }
                }
                case AFTER_CR -> {
                    if (octet == '\n') {
                        at++;
                        position = Position.LINE_START;
                    } else {
                        position = Position.IN_LINE;
                    }
                }
                case AFTER_DOT -> {
                    if (octet == '\r') {
                        pending = ++at;
                        position = Position.AFTER_DOT_CR;
                    } else {
                        position = Position.IN_LINE;
                    }
                }
                case AFTER_DOT_CR -> {
                    if (octet == '\n') {
                        pending = ++at;
                        ended = true;
                    } else {
                        content.append(CR, 0, 1);
                        position = Position.IN_LINE;
                    }
                }
            }
        }
        if (at > pending) {
            content.append(source, pending, at);
        }
        input.position(at - base);
        return ended;
    }

    /** Whether this byte, or one held back before it, is certainly content. */
    private boolean isContent(byte octet) {
        return switch (position) {
            case LINE_START -> octet != '.';
            case IN_LINE, AFTER_CR -> true;
            case AFTER_DOT -> octet != '\r';
            case AFTER_DOT_CR -> octet != '\n';
        };
    }

    private int afterCarriageReturn(byte[] source, int from, int end) {
        int at = from;
        while (at < end) {
            if (source[at++] == '\r') {
                position = Position.AFTER_CR;
                break;
            }
        }
        return at;
    }
}
