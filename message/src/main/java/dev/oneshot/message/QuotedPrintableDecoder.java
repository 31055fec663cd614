package dev.oneshot.message;

import java.util.Arrays;

/**
 * RFC 2045 §6.7: drops blanks at the end of a line (rule 3), and joins lines at an equals sign at the end (rule 5).
 * An equals sign that begins no escape is literal.
 */
final class QuotedPrintableDecoder implements OctetDecoder {

    /** Blanks, or octets after an equals sign, until it is clear how to decode them. */
    private final byte[] held = new byte[HELD_MAX - 2];

    private int heldLength;
    private boolean escape;

    @Override
    public int decode(byte[] in, int from, int to, byte[] out, int at) {
        int written = at;
        for (int i = from; i < to; i++) {
            byte octet = in[i];
            if (heldLength == 0 && octet != '=' && octet != ' ' && octet != '\t') {
                out[written++] = octet;
            } else {
                written += hold(octet, out, written);
            }
        }
        return written - at;
    }

    private int hold(byte octet, byte[] out, int at) {
        if (escape) {
            return escape(octet, out, at);
        }
        if (octet == '\r' || octet == '\n') {
            heldLength = 0;
            out[at] = octet;
            return 1;
        }
        if (Lines.isBlank(octet)) {
            int written = heldLength == held.length ? release(out, at) : 0;
            held[heldLength++] = octet;
            return written;
        }
        int written = release(out, at);
        if (octet == '=') {
            escape = true;
            held[heldLength++] = octet;
            return written;
        }
        out[at + written] = octet;
        return written + 1;
    }

    /** Continues an escape: {@code =}, then two digits, or blanks and a line end. */
    private int escape(byte octet, byte[] out, int at) {
        byte last = held[heldLength - 1];
        if (heldLength == 2 && Character.digit(last, 16) >= 0) {
            int low = Character.digit(octet, 16);
            if (low >= 0) {
                out[at] = (byte) (Character.digit(last, 16) << 4 | low);
                return end(1);
            }
            return literally(octet, out, at);
        }
        if (octet == '\n') {
            return end(0);
        }
        boolean fits = heldLength < held.length;
        if (octet == '\r' && fits) {
            // Programs that convert line ends twice send two carriage returns.
            return keep(octet);
        }
        if (last == '\r') {
            return afterReturns(octet, out, at);
        }
        boolean digit = heldLength == 1 && Character.digit(octet, 16) >= 0;
        return (digit || Lines.isBlank(octet)) && fits ? keep(octet) : literally(octet, out, at);
    }

    private int keep(byte octet) {
        held[heldLength++] = octet;
        return 0;
    }

    /** There was no line feed: the first carriage return ended the line, and the held octets after it begin the next. */
    private int afterReturns(byte octet, byte[] out, int at) {
        int first = heldLength;
        while (held[first - 1] == '\r') {
            first--;
        }
        int returns = heldLength - first - 1;
        Arrays.fill(out, at, at + returns, (byte) '\r');
        end(0);
        return returns + decode(new byte[] {octet}, 0, 1, out, at + returns);
    }

    private int end(int written) {
        escape = false;
        heldLength = 0;
        return written;
    }

    /** It is no escape: the held octets are text, and this octet is read next. */
    private int literally(byte octet, byte[] out, int at) {
        escape = false;
        int written = release(out, at);
        return written + decode(new byte[] {octet}, 0, 1, out, at + written);
    }

    private int release(byte[] out, int at) {
        System.arraycopy(held, 0, out, at, heldLength);
        int written = heldLength;
        heldLength = 0;
        return written;
    }

    /** Blanks and an equals sign at the very end are the end of a line without line end. */
    @Override
    public int finish(byte[] out, int at) {
        boolean digit = escape && heldLength == 2 && Character.digit(held[1], 16) >= 0;
        if (digit) {
            escape = false;
            return release(out, at);
        }
        return end(0);
    }
}
