package dev.oneshot.api.sending;

import dev.oneshot.contracts.event.Octets;
import java.io.Writer;
import java.util.Arrays;
import java.util.Base64;

/**
 * Decodes the base64 that is written to it, piece by piece into one array of the right size: whoever holds the characters
 * has no second copy of them. Writing throws IllegalArgumentException at what is no base64.
 */
final class Base64Writer extends Writer {

    /** A multiple of four. */
    private static final int PIECE_CHARACTERS = 8 * 1024;

    private static final byte NOT_IN_THE_ALPHABET = 0;

    private final byte[] octets;
    private final byte[] piece = new byte[PIECE_CHARACTERS];
    private int decoded;
    private int used;
    private boolean padded;

    /** @param characters how many will be written */
    Base64Writer(int characters) {
        // Base64.Decoder would take a last group without its padding.
        if (characters % 4 != 0) {
            throw new IllegalArgumentException("base64 comes in groups of four characters");
        }
        this.octets = new byte[characters / 4 * 3];
    }

    @Override
    public void write(char[] characters, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (used == piece.length) {
                decode();
            }
            piece[used++] = characters[i] < 0x80 ? (byte) characters[i] : NOT_IN_THE_ALPHABET;
        }
    }

    /** What was written, once that is all. */
    Octets octets() {
        decode();
        return Octets.of(octets, 0, decoded);
    }

    private void decode() {
        if (used == 0) {
            return;
        }
        if (padded) {
            throw new IllegalArgumentException("base64 ends with its padding");
        }
        padded = piece[used - 1] == '=';
        byte[] part = Base64.getDecoder().decode(Arrays.copyOf(piece, used));
        System.arraycopy(part, 0, octets, decoded, part.length);
        decoded += part.length;
        used = 0;
    }

    @Override
    public void flush() {
        // Nothing is held back but the last piece, which octets() decodes.
    }

    @Override
    public void close() {
        // There is nothing to let go.
    }
}
