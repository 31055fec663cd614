package dev.oneshot.ingest.smtp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The octets of a message as they come in, in segments, so that nothing is moved when there are more of them, and what
 * the budget is charged with is what is held. Counts everything, keeps nothing of what is beyond a bound.
 */
final class Content {

    private static final int FIRST_SEGMENT_MIN = 8 * 1024;
    // A client may declare what it never sends, so it is believed this far only.
    private static final int FIRST_SEGMENT_MAX = 16 * 1024;
    // Up to here each segment doubles what there is, within bounds.
    private static final int LARGE = 1024 * 1024;
    private static final int DOUBLING_SEGMENT_MAX = 256 * 1024;
    // Fills one region of the G1 collector, which then never copies it.
    private static final int LARGE_SEGMENT = 1024 * 1024 - 64;
    private static final byte[] EMPTY_LINE = {'\r', '\n'};

    private final MemoryBudget memory;
    private final SmtpPolicy policy;
    private final byte[] traceFields;
    // With the empty line, where there is one.
    private int frontLength;
    private int headerBytes;
    // Of the first segment, which is then not full.
    private int removedBytes;
    private final long contentBytesMax;
    private final long declaredBytes;

    private final List<byte[]> segments = new ArrayList<>();
    private byte[] segment = {};
    private int filled;
    private long held;
    private int length;
    private long contentLength;
    private int lineLength;
    private byte lastOctet;
    private boolean inHeader = true;
    private final CRC32C checksum = new CRC32C();
    private @Nullable Fault fault;

    /** Why a message is not taken; of several, the first of these is named. */
    enum Fault {
        /** Beyond a bound by so much that the end is not waited for. */
        ENDLESS,
        TOO_LARGE,
        HEADER_TOO_LARGE,
        LINE_TOO_LONG,
        NO_MEMORY
    }

    /**
     * A message that holds nothing yet; {@link #begin} comes first.
     *
     * @param traceFields go in front and do not count; nor does the empty line between them and content that begins with
     *     a blank or a tab, which would continue the last of them (RFC 5322 §2.2.3)
     * @param contentBytesMax the most octets that may follow
     * @param declaredBytes what the client says will follow, 0 if it says nothing
     */
    Content(byte[] traceFields, long contentBytesMax, long declaredBytes, SmtpPolicy policy, MemoryBudget memory) {
        this.memory = memory;
        this.policy = policy;
        this.contentBytesMax = contentBytesMax;
        this.declaredBytes = Math.min(declaredBytes, contentBytesMax);
        this.traceFields = traceFields;
        this.frontLength = traceFields.length;
    }

    @Nullable
    Fault fault() {
        return fault;
    }

    /** What has been collected; not to be used once it is released. */
    MessageOctets octets() {
        List<ByteBuffer> pieces = new ArrayList<>(segments.size());
        int left = length;
        int unused = removedBytes;
        for (byte[] piece : segments) {
            int count = Math.min(piece.length - unused, left);
            pieces.add(ByteBuffer.wrap(piece, 0, count));
            left -= count;
            unused = 0;
        }
        return new MessageOctets(pieces, frontLength, this::release);
    }

    /**
     * Removes header fields that bear our authserv-id, when the content has ended without a fault.
     *
     * @return how many
     */
    int removeOwnResults() {
        int headerEnd = frontLength + (inHeader ? (int) contentLength : headerBytes);
        byte[] first = joined(headerEnd);
        int end = Math.min(first.length, length);
        OwnResults.Removed removed = OwnResults.remove(first, frontLength, headerEnd, end, policy.authservId());
        removedBytes = end - removed.end();
        length -= removedBytes;
        return removed.fields();
    }

    /** The segments up to some octet as one, which they are unless the header is long. */
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

    /** What the content is known by, without our trace fields. */
    MailPrint print(ReversePath reversePath) {
        return new MailPrint(reversePath.text(), contentLength, checksum.getValue());
    }

    /** Takes memory for the beginning; false if there is none, and {@link #roomWanted} has to be waited for. */
    boolean begin() {
        return isBegun() || fault != null || makeRoom();
    }

    boolean isBegun() {
        return length > 0;
    }

    /** How many octets can be appended. What will not be kept, for a fault, needs no memory. */
    int room() {
        boolean kept = fault == null && contentLength < contentBytesMax;
        int heldBack = isBegun() && contentLength == 0 ? EMPTY_LINE.length : 0;
        return kept ? segment.length - filled - heldBack : Integer.MAX_VALUE;
    }

    /** Takes memory for more octets; false if there is none, and {@link #roomWanted} has to be waited for. */
    boolean makeRoom() {
        int capacity = roomWanted();
        if (!memory.reserve(capacity)) {
            return false;
        }
        addSegment(capacity);
        return true;
    }

    /** Depends on what there is, not on what comes in one piece: so must what a small budget leads to. */
    int roomWanted() {
        return isBegun() ? nextCapacity() : firstCapacity();
    }

    /** {@link #roomWanted} has been taken out of the budget. */
    void roomFound() {
        addSegment(roomWanted());
    }

    /** {@link #roomWanted} is not waited for any more. */
    void noRoom() {
        found(Fault.NO_MEMORY);
        release();
    }

    /**
     * Adds what is there of a chunk, as much as there is or can be found room for.
     *
     * @param most the octets that are left of the chunk
     * @return how many were added
     */
    int read(ByteBuffer input, long most) {
        int left = (int) Math.min(most, input.remaining());
        int before = left;
        while (left > 0 && (room() > 0 || makeRoom())) {
            int count = Math.min(left, room());
            int from = input.arrayOffset() + input.position();
            append(input.array(), from, from + count);
            input.position(input.position() + count);
            left -= count;
        }
        return before - left;
    }

    /** Adds octets of the content, at most {@link #room} of them. */
    void append(byte[] source, int from, int to) {
        boolean beginsWithBlank = contentLength == 0 && to > from && (source[from] == ' ' || source[from] == '\t');
        contentLength += to - from;
        checksum.update(source, from, to - from);
        measure(source, from, to);
        if (fault == null) {
            if (beginsWithBlank) {
                // Room for it has been held back.
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

    /** Puts the memory back; what was collected is gone. */
    void release() {
        memory.release(held);
        held = 0;
        segments.clear();
        segment = new byte[0];
        filled = 0;
        length = 0;
    }

    /**
     * Goes on beyond a fault, as a graver one may follow: which is named in the end must not depend on how the octets
     * were cut up.
     */
    private void measure(byte[] source, int from, int to) {
        if (contentLength > contentBytesMax) {
            found(Fault.TOO_LARGE);
        }
        int lineStart = from - lineLength;
        for (int i = from; i < to; i++) {
            if (source[i] == '\n') {
                byte before = i > from ? source[i - 1] : lastOctet;
                lineEnds(i + 1 - lineStart, before, contentLength - (to - 1 - i));
                lineStart = i + 1;
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

    /** Enough for an octet and the empty line that it may need. */
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
