package dev.oneshot.contracts.address;

import org.jspecify.annotations.Nullable;

/** Base32 in lower case (RFC 4648 §6) for 15 bytes, which need no padding. */
final class Base32 {

    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
    private static final int OCTETS_PER_GROUP = 5;
    private static final int CHARACTERS_PER_GROUP = 8;

    private Base32() {}

    /** Encodes whole groups of five bytes. */
    static String encode(byte[] octets) {
        StringBuilder text = new StringBuilder(octets.length / OCTETS_PER_GROUP * CHARACTERS_PER_GROUP);
        for (int group = 0; group < octets.length; group += OCTETS_PER_GROUP) {
            long bits = 0;
            for (int i = 0; i < OCTETS_PER_GROUP; i++) {
                bits = bits << 8 | (octets[group + i] & 0xFF);
            }
            for (int shift = 35; shift >= 0; shift -= 5) {
                text.append(ALPHABET.charAt((int) (bits >>> shift) & 0x1F));
            }
        }
        return text.toString();
    }

    /** Decodes whole groups of eight characters in any case; null if a character is not in the alphabet. */
    static byte @Nullable [] decode(String text) {
        byte[] octets = new byte[text.length() / CHARACTERS_PER_GROUP * OCTETS_PER_GROUP];
        for (int group = 0, out = 0; group < text.length(); group += CHARACTERS_PER_GROUP) {
            long bits = 0;
            for (int i = 0; i < CHARACTERS_PER_GROUP; i++) {
                int value = valueOf(text.charAt(group + i));
                if (value < 0) {
                    return null;
                }
                bits = bits << 5 | value;
            }
            for (int shift = 32; shift >= 0; shift -= 8) {
                octets[out++] = (byte) (bits >>> shift);
            }
        }
        return octets;
    }

    private static int valueOf(char c) {
        if (c >= 'a' && c <= 'z') {
            return c - 'a';
        }
        if (c >= 'A' && c <= 'Z') {
            return c - 'A';
        }
        return c >= '2' && c <= '7' ? c - '2' + 26 : -1;
    }
}
