package dev.oneshot.ingest.smtp;

import java.util.List;

/**
 * The octets of a message, in the pieces that they were collected in, so that a large one is nowhere twice in memory
 * only for having grown. Safe for any number of threads as long as nobody changes or discards the pieces.
 */
public final class MessageOctets {

    private final int length;
    private final Runnable release;
    private List<byte[]> segments;

    /**
     * The first {@code length} octets of these, one behind the other; each but the last is full.
     *
     * @param release puts back the memory that they lie in
     */
    MessageOctets(List<byte[]> segments, int length, Runnable release) {
        this.segments = List.copyOf(segments);
        this.length = length;
        this.release = release;
    }

    /** All of an array. The caller gives it away: it must not be changed afterwards. */
    public static MessageOctets of(byte[] octets) {
        return new MessageOctets(List.of(octets), octets.length, () -> {});
    }

    /**
     * Puts back their memory while a copy of them is still on its way, so that it can be used for the next message. For
     * the delivery that they belong to; there are none to be had afterwards, though {@link #length} stays.
     */
    public void discard() {
        segments = List.of();
        release.run();
    }

    /** How many there are. */
    public int length() {
        return length;
    }

    /**
     * An array that begins with them and may be longer; read only. It is a copy only if they lie in several pieces.
     */
    public byte[] contiguous() {
        return segments.size() == 1 ? segments.getFirst() : toByteArray();
    }

    /** Copies them into an array. */
    public void copyTo(byte[] target, int offset) {
        int copied = 0;
        for (byte[] segment : segments) {
            int count = Math.min(segment.length, length - copied);
            System.arraycopy(segment, 0, target, offset + copied, count);
            copied += count;
        }
    }

    /** A copy, exactly as long as they are. */
    public byte[] toByteArray() {
        byte[] octets = new byte[length];
        copyTo(octets, 0);
        return octets;
    }
}
