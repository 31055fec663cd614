package dev.oneshot.api.inbox;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** Octets fetched chunk by chunk, so that a large mail is never in memory whole. */
final class SliceInputStream extends InputStream {

    private final Source source;
    private final int end;
    private final int chunkBytes;
    private int next;
    private byte[] chunk = new byte[0];
    private int at;

    /**
     * A stream of the octets from {@code offset} on.
     *
     * @param chunkBytes how many are fetched at once
     */
    SliceInputStream(Source source, int offset, int length, int chunkBytes) {
        this.source = source;
        this.next = offset;
        this.end = offset + length;
        this.chunkBytes = chunkBytes;
    }

    /** Where chunks come from. */
    @FunctionalInterface
    interface Source {
        /** The octets from {@code offset} on; fewer than asked for only where they end. */
        byte[] fetch(int offset, int length);
    }

    @Override
    public int read() throws IOException {
        return fill() ? chunk[at++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, chunk.length - at);
        System.arraycopy(chunk, at, buffer, offset, count);
        at += count;
        return count;
    }

    private boolean fill() throws IOException {
        if (at < chunk.length) {
            return true;
        }
        if (next == end) {
            return false;
        }
        int wanted = Math.min(chunkBytes, end - next);
        chunk = source.fetch(next, wanted);
        at = 0;
        if (chunk.length != wanted) {
            throw new EOFException("the mail ends before its structure says");
        }
        next += wanted;
        return true;
    }
}
