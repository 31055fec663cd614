package dev.oneshot.message;

import java.nio.charset.Charset;

/** Decodes HZ (RFC 1843), Chinese in seven bits, which the JDK does not know. Malformed octets are taken literally. */
final class Hz {

    private static final Charset GB18030 = Charset.forName("GB18030");

    private Hz() {}

    static String decode(byte[] octets, int from, int to) {
        byte[] eightBit = new byte[to - from];
        int length = 0;
        boolean shifted = false;
        int at = from;
        while (at < to) {
            byte octet = octets[at++];
            byte next = at < to ? octets[at] : 0;
            if (octet == '~' && next == (shifted ? '}' : '{')) {
                shifted = !shifted;
                at++;
            } else if (octet == '~' && !shifted && (next == '~' || next == '\n')) {
                // "~~" is one tilde; a tilde at the end of a line joins it to the next.
                at++;
                if (next == '~') {
                    eightBit[length++] = octet;
                }
            } else if (shifted && isHalf(octet) && isHalf(next)) {
                eightBit[length++] = (byte) (octet | 0x80);
                eightBit[length++] = (byte) (next | 0x80);
                at++;
            } else {
                // Each line begins in ASCII mode.
                shifted &= octet != '\n';
                eightBit[length++] = octet;
            }
        }
        return new String(eightBit, 0, length, GB18030);
    }

    private static boolean isHalf(byte octet) {
        return octet > ' ' && octet < 0x7F;
    }
}
