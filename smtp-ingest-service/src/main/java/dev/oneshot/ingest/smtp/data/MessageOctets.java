package dev.oneshot.ingest.smtp.data;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a message, in the pieces in which they were collected, so that growth does not copy a large message.
 * Safe for any number of threads unless the pieces are changed or discarded.
 */
public final class MessageOctets {

    private int length;
    private int traceLength;
    private final Runnable release;
    private @Nullable List<ByteBuffer> pieces;

    /**
     * The remaining bytes of all pieces; each begins with its array.
     *
     * @param traceLength see {@link #traceLength()}
     * @param release releases their memory
     */
    public MessageOctets(List<ByteBuffer> pieces, int traceLength, Runnable release) {
        this.pieces = List.copyOf(pieces);
        this.length = pieces.stream().mapToInt(ByteBuffer::remaining).sum();
        this.traceLength = traceLength;
        this.release = release;
    }

    /**
     * Releases the memory while a copy is still being sent, so that the next message can use it. For the delivery
     * only. {@link #length} stays; reading the bytes afterwards throws {@link IllegalStateException}.
     */
    public void discard() {
        pieces = null;
        release.run();
    }

    /**
     * Puts a trace field in front of all others. For the delivery only, before it passes the bytes on.
     *
     * @param field with its line end
     */
    public void prepend(byte[] field) {
        List<ByteBuffer> all = new ArrayList<>(pieces());
        all.addFirst(ByteBuffer.wrap(field));
        pieces = List.copyOf(all);
        length += field.length;
        traceLength += field.length;
    }

    /** The bytes where they are, read only; the first piece has the trace fields and the whole header section. */
    public List<ByteBuffer> pieces() {
        if (pieces == null) {
            throw new IllegalStateException("the octets have been discarded");
        }
        return pieces;
    }

    public int length() {
        return length;
    }

    /** The length of the trace fields, with the empty line after them if the content begins with a blank. */
    public int traceLength() {
        return traceLength;
    }

    /**
     * An array that begins with the bytes and may be longer; read only. It is a copy only if there are several
     * pieces.
     */
    public byte[] contiguous() {
        List<ByteBuffer> all = pieces();
        return all.size() == 1 ? all.getFirst().array() : toByteArray();
    }

    /** Copies the bytes into an array. */
    public void copyTo(byte[] target, int offset) {
        int at = offset;
        for (ByteBuffer piece : pieces()) {
            piece.get(0, target, at, piece.remaining());
            at += piece.remaining();
        }
    }

    /** A copy of exactly their length. */
    public byte[] toByteArray() {
        byte[] octets = new byte[length];
        copyTo(octets, 0);
        return octets;
    }
}
