package dev.oneshot.ingest.smtp;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The octets of a message, in the pieces that they were collected in, so that a large one is nowhere twice in memory
 * only for having grown. Safe for any number of threads as long as nobody changes or discards the pieces.
 */
public final class MessageOctets {

    private final int length;
    private final int traceLength;
    private final Runnable release;
    private @Nullable List<ByteBuffer> pieces;

    /**
     * The remaining octets of these, one behind the other; each begins with its array.
     *
     * @param traceLength see {@link #traceLength()}
     * @param release puts back the memory that they lie in
     */
    MessageOctets(List<ByteBuffer> pieces, int traceLength, Runnable release) {
        this.pieces = List.copyOf(pieces);
        this.length = pieces.stream().mapToInt(ByteBuffer::remaining).sum();
        this.traceLength = traceLength;
        this.release = release;
    }

    /** All of an array. The caller gives it away: it must not be changed afterwards. */
    public static MessageOctets of(byte[] octets) {
        return new MessageOctets(List.of(ByteBuffer.wrap(octets)), 0, () -> {});
    }

    /**
     * Puts back their memory while a copy of them is still on its way, so that it can be used for the next message. For
     * the delivery that they belong to. {@link #length} stays; whoever asks for the octets afterwards gets an
     * {@link IllegalStateException}, as anything else would be a message that nobody sent.
     */
    public void discard() {
        pieces = null;
        release.run();
    }

    /** How many there are. */
    public int length() {
        return length;
    }

    /** How many of them are ours: the trace fields, and an empty line after them where the content begins with a blank. */
    public int traceLength() {
        return traceLength;
    }

    /**
     * An array that begins with them and may be longer; read only. It is a copy only if they lie in several pieces.
     */
    public byte[] contiguous() {
        List<ByteBuffer> all = kept();
        return all.size() == 1 ? all.getFirst().array() : toByteArray();
    }

    /** Copies them into an array. */
    public void copyTo(byte[] target, int offset) {
        int at = offset;
        for (ByteBuffer piece : kept()) {
            piece.get(0, target, at, piece.remaining());
            at += piece.remaining();
        }
    }

    /** A copy, exactly as long as they are. */
    public byte[] toByteArray() {
        byte[] octets = new byte[length];
        copyTo(octets, 0);
        return octets;
    }

    private List<ByteBuffer> kept() {
        if (pieces == null) {
            throw new IllegalStateException("the octets have been discarded");
        }
        return pieces;
    }
}
