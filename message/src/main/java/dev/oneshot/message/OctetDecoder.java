package dev.oneshot.message;

/** Decodes a transfer encoding piece by piece. The result does not depend on how the input is cut. */
sealed interface OctetDecoder permits Base64Decoder, QuotedPrintableDecoder, UuDecoder {

    /** The most octets that a call writes beyond one for each it reads, as an earlier call may hold some back. */
    int HELD_MAX = 1024;

    /**
     * Decodes {@code in[from .. to)} into {@code out} at {@code at}, which must have space for {@code outputMax(to -
     * from)} octets.
     *
     * @return how many octets were written
     */
    int decode(byte[] in, int from, int to, byte[] out, int at);

    /** The most octets that a call writes for {@code octets} octets. */
    default int outputMax(int octets) {
        return octets + HELD_MAX;
    }

    /** Ends the input, writes octets held back, at most {@link #HELD_MAX}, and returns how many. */
    int finish(byte[] out, int at);
}
