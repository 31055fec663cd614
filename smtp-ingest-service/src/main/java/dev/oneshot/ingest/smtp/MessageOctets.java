package dev.oneshot.ingest.smtp;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The octets of a message, in the pieces that they were collected in, so that a large one is nowhere twice in memory
 * only for having grown. Safe for any number of threads as long as nobody changes or discards the pieces.
 */
public final class MessageOctets {

    private final int length;
    private final Runnable release;
    private @Nullable List<byte[]> segments;

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
     * the delivery that they belong to. {@link #length} stays; whoever asks for the octets afterwards gets an
     * {@link IllegalStateException}, as anything else would be a message that nobody sent.
     */
    public void discard() {
        segments = null;
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
        List<byte[]> pieces = kept();
        return pieces.size() == 1 ? pieces.getFirst() : toByteArray();
    }

    /** Copies them into an array. */
    public void copyTo(byte[] target, int offset) {
        int copied = 0;
        for (byte[] segment : kept()) {
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

    private List<byte[]> kept() {
        if (segments == null) {
            throw new IllegalStateException("the octets have been discarded");
        }
        return segments;
    }
}
