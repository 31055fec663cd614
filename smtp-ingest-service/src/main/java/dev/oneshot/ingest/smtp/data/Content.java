package dev.oneshot.ingest.smtp.data;

import dev.oneshot.authentication.results.OwnResults;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an arriving message, in segments, so that growth moves none and the budget is charged for exactly the
 * memory in use. Counts all bytes, and keeps none beyond a bound.
 */
public final class Content {

    private static final int FIRST_SEGMENT_MIN = 8 * 1024;
    // The client's declared size is trusted up to here.
    private static final int FIRST_SEGMENT_MAX = 16 * 1024;
    // Up to here each segment doubles the size, within bounds.
    private static final int LARGE = 1024 * 1024;
    private static final int DOUBLING_SEGMENT_MAX = 256 * 1024;
    // Fills one region of the G1 collector, which then never copies it.
    private static final int LARGE_SEGMENT = 1024 * 1024 - 64;
    private static final byte[] EMPTY_LINE = {'\r', '\n'};

    private final MemoryBudget memory;
    private final SmtpPolicy policy;
    private final byte[] traceFields;
    // With the empty line, if there is one.
    private int frontLength;
    private int headerBytes;
    private final long contentBytesMax;
    private final long declaredBytes;

    private final List<byte[]> segments = new ArrayList<>();
    private byte[] segment = {};
    private int filled;
    private long held;
    private int length;
    private long contentLength;
    private final CRC32C checksum = new CRC32C();
    private int lineLength;
    private byte lastOctet;
    private boolean inHeader = true;
    private @Nullable Fault fault;

    /** Why a message is rejected; of several faults, the first of these is reported. */
    public enum Fault {
        /** So far beyond a bound that the rest is not read. */
        ENDLESS,
        TOO_LARGE,
        HEADER_TOO_LARGE,
        LINE_TOO_LONG,
        NO_MEMORY
    }

    /**
     * An empty message; {@link #begin} must be called first.
     *
     * @param traceFields precede the content and do not count. Nor does the empty line before content that begins
     *     with a blank or a tab, which would continue the last field (RFC 5322 §2.2.3)
     * @param contentBytesMax the most bytes of content
     * @param declaredBytes the size that the client declares, 0 if none
     */
    public Content(
            byte[] traceFields, long contentBytesMax, long declaredBytes, SmtpPolicy policy, MemoryBudget memory) {
        this.memory = memory;
        this.policy = policy;
        this.contentBytesMax = contentBytesMax;
        this.declaredBytes = Math.min(declaredBytes, contentBytesMax);
        this.traceFields = traceFields;
        this.frontLength = traceFields.length;
    }

    public @Nullable Fault fault() {
        return fault;
    }

    /** The collected bytes; not to be used after the release. */
    public MessageOctets octets() {
        List<ByteBuffer> pieces = new ArrayList<>(segments.size());
        int left = length;
        for (byte[] piece : segments) {
            int count = Math.min(piece.length, left);
            pieces.add(ByteBuffer.wrap(piece, 0, count));
            left -= count;
        }
        return new MessageOctets(pieces, frontLength, this::release);
    }

    /**
     * Removes Authentication-Results fields with the server's authserv-id. Call it when the content is complete and valid.
     *
     * @return how many
     */
    public int removeOwnResults() {
        int headerEnd = frontLength + (inHeader ? (int) contentLength : headerBytes);
        byte[] first = joined(headerEnd);
        int end = Math.min(first.length, length);
        OwnResults results = new OwnResults(policy.authservId());
        int left = results.remove(first, frontLength, headerEnd, end);
        if (left < end) {
            segments.set(0, Arrays.copyOf(first, left));
            length -= end - left;
        }
        return results.fields();
    }

    /** The fingerprint of the content, without the trace fields. */
    public MessageFingerprint fingerprint(ReversePath reversePath) {
        return new MessageFingerprint(reversePath.text(), contentLength, checksum.getValue());
    }

    /** The first segment, after it has been joined with the following ones up to this byte. Most headers need no joining. */
    private byte[] joined(int end) {
        int count = 1;
        int bytes = segments.getFirst().length;
        while (bytes < end) {
            bytes += segments.get(count++).length;
        }
        if (count > 1) {
            ByteBuffer joined = ByteBuffer.allocate(bytes);
            List<byte[]> parts = segments.subList(0, count);
            parts.forEach(joined::put);
            parts.clear();
            segments.addFirst(joined.array());
        }
        return segments.getFirst();
    }

    /**
     * Reserves memory for the beginning. If there is none, returns false; the caller must then wait for
     * {@link #bytesWanted}.
     */
    public boolean begin() {
        return isBegun() || fault != null || reserveMore();
    }

    public boolean isBegun() {
        return length > 0;
    }

    /** How many bytes can be appended. Bytes that a fault discards need no memory. */
    int capacity() {
        boolean kept = fault == null && contentLength < contentBytesMax;
        int heldBack = isBegun() && contentLength == 0 ? EMPTY_LINE.length : 0;
        return kept ? segment.length - filled - heldBack : Integer.MAX_VALUE;
    }

    /**
     * Reserves memory for more bytes. If there is none, returns false; the caller must then wait for {@link #bytesWanted}.
     */
    boolean reserveMore() {
        int bytes = bytesWanted();
        if (!memory.reserve(bytes)) {
            return false;
        }
        addSegment(bytes);
        return true;
    }

    /** Depends only on the number of bytes so far, so that the outcome does not depend on how they were split. */
    public int bytesWanted() {
        return isBegun() ? nextCapacity() : firstCapacity();
    }

    /** {@link #bytesWanted} has been reserved. */
    public void memoryGranted() {
        addSegment(bytesWanted());
    }

    /** The wait for {@link #bytesWanted} has ended without memory. */
    public void memoryRefused() {
        found(Fault.NO_MEMORY);
        release();
    }

    /**
     * Adds bytes of a chunk, as many as there are and as memory allows.
     *
     * @param most the rest of the chunk
     * @return how many were added
     */
    public int read(ByteBuffer input, long most) {
        int left = (int) Math.min(most, input.remaining());
        int before = left;
        while (left > 0 && (capacity() > 0 || reserveMore())) {
            int count = Math.min(left, capacity());
            int from = input.arrayOffset() + input.position();
            append(input.array(), from, from + count);
            input.position(input.position() + count);
            left -= count;
        }
        return before - left;
    }

    /** Adds bytes of the content, at most {@link #capacity} of them. */
    void append(byte[] source, int from, int to) {
        boolean beginsWithBlank = contentLength == 0 && to > from && (source[from] == ' ' || source[from] == '\t');
        contentLength += to - from;
        checksum.update(source, from, to - from);
        measure(source, from, to);
        if (fault == null) {
            if (beginsWithBlank) {
                // Memory for it is reserved.
                put(EMPTY_LINE, 0, EMPTY_LINE.length);
                frontLength += EMPTY_LINE.length;
            }
            put(source, from, to - from);
        } else {
            release();
            if (contentLength > contentBytesMax + policy.discardBytesMax()) {
                found(Fault.ENDLESS);
            }
        }
    }

    private void put(byte[] source, int from, int count) {
        System.arraycopy(source, from, segment, filled, count);
        filled += count;
        length += count;
    }

    /** Releases the memory and the collected bytes. */
    public void release() {
        memory.release(held);
        held = 0;
        segments.clear();
        segment = new byte[0];
        filled = 0;
        length = 0;
    }

    /** Counts on after a fault, as a more severe one may follow: the reported fault must not depend on how the bytes were split. */
    private void measure(byte[] source, int from, int to) {
        if (contentLength > contentBytesMax) {
            found(Fault.TOO_LARGE);
        }
        int lineStart = from - lineLength;
        int at = from;
        while (at < to && (inHeader || to - lineStart > policy.contentLineBytesMax())) {
            if (source[at] == '\n') {
                byte before = at > from ? source[at - 1] : lastOctet;
                lineEnds(at + 1 - lineStart, before, contentLength - (to - 1 - at));
                lineStart = at + 1;
            }
            at++;
        }
        // No line of the rest can be too long.
        for (int last = to - 1; last >= at; last--) {
            if (source[last] == '\n') {
                lineStart = last + 1;
                break;
            }
        }
        lineLength = to - lineStart;
        lastOctet = to > from ? source[to - 1] : lastOctet;
        if (lineLength > policy.contentLineBytesMax()) {
            found(Fault.LINE_TOO_LONG);
        }
        if (inHeader && contentLength > policy.headerBytesMax()) {
            found(Fault.HEADER_TOO_LARGE);
        }
    }

    private void lineEnds(int octetsInLine, byte before, long octetsSoFar) {
        if (octetsInLine > policy.contentLineBytesMax()) {
            found(Fault.LINE_TOO_LONG);
        }
        if (inHeader && (octetsInLine == 1 || (octetsInLine == 2 && before == '\r'))) {
            inHeader = false;
            headerBytes = (int) octetsSoFar;
            if (octetsSoFar > policy.headerBytesMax()) {
                found(Fault.HEADER_TOO_LARGE);
            }
        }
    }

    private void found(Fault found) {
        if (fault == null || found.compareTo(fault) < 0) {
            fault = found;
        }
    }

    private void addSegment(int capacity) {
        held += capacity;
        segment = new byte[capacity];
        segments.add(segment);
        filled = 0;
        if (length == 0) {
            put(traceFields, 0, traceFields.length);
        }
    }

    /** Enough for a byte and the empty line that may precede it. */
    private int firstCapacity() {
        int frontMax = traceFields.length + EMPTY_LINE.length;
        long declared = Math.min(frontMax + declaredBytes, FIRST_SEGMENT_MAX);
        return (int) Math.max(Math.max(declared, FIRST_SEGMENT_MIN), frontMax + 1);
    }

    private int nextCapacity() {
        long capacity = length < LARGE ? Math.min(length, DOUBLING_SEGMENT_MAX) : LARGE_SEGMENT;
        long declaredLeft = frontLength + declaredBytes - length;
        long mostLeft = frontLength + contentBytesMax - length;
        return (int) Math.min(capacity, declaredLeft > 0 ? declaredLeft : mostLeft);
    }
}
