package dev.oneshot.message;

/** Decodes a transfer encoding piece by piece; where the pieces are cut makes no difference. */
sealed interface OctetDecoder permits Base64Decoder, QuotedPrintableDecoder, UuDecoder {

    /** What a call may write beyond one octet for each it reads: what an earlier call held back. */
    int HELD_MAX = 1024;

    /**
     * Decodes {@code in[from .. to)} into {@code out} at {@code at}, where there is room for {@code outputMax(to - from)}
     * octets.
     *
     * @return how many octets were written
     */
    int decode(byte[] in, int from, int to, byte[] out, int at);

    /** The most octets that a call yields for so many. */
    default int outputMax(int octets) {
        return octets + HELD_MAX;
    }

    /** Ends the input: writes what was held back, at most {@link #HELD_MAX} octets. @return how many were written */
    int finish(byte[] out, int at);
}
