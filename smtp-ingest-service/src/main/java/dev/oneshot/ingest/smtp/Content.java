package dev.oneshot.ingest.smtp;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The octets of a message as they come in, in one array that grows, so that a message is copied about once on its way.
 * Counts everything, keeps nothing of what is beyond a bound.
 */
final class Content {

    private static final int CAPACITY_MIN = 8 * 1024;
    private static final int GROWTH_UNDECLARED = 2;
    // A client that has sent a part of what it declared is believed a good deal, not all: it may not come.
    private static final int GROWTH_DECLARED = 4;

    private final MemoryBudget memory;
    private final SmtpPolicy policy;
    private final int traceLength;
    private final long contentBytesMax;
    private final long declaredBytes;

    private byte[] octets;
    private int length;
    private long contentLength;
    private int lineLength;
    private byte lastOctet;
    private boolean inHeader = true;
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
     * Begins a message.
     *
     * @param traceFields go in front and do not count
     * @param contentBytesMax the most octets that may follow
     * @param declaredBytes what the client says will follow, 0 if it says nothing
     */
    Content(byte[] traceFields, long contentBytesMax, long declaredBytes, SmtpPolicy policy, MemoryBudget memory) {
        this.memory = memory;
        this.policy = policy;
        this.contentBytesMax = contentBytesMax;
        this.declaredBytes = Math.min(declaredBytes, contentBytesMax);
        this.traceLength = traceFields.length;
        int capacity = Math.max(CAPACITY_MIN, traceLength);
        if (memory.reserve(capacity)) {
            octets = Arrays.copyOf(traceFields, capacity);
            length = traceLength;
        } else {
            octets = new byte[0];
            fault = Fault.NO_MEMORY;
        }
    }

    @Nullable
    Fault fault() {
        return fault;
    }

    byte[] octets() {
        return octets;
    }

    int length() {
        return length;
    }

    /** Adds octets of the content. */
    void append(byte[] source, int from, int to) {
        int count = to - from;
        contentLength += count;
        measure(source, from, to);
        if (fault == null && !makeRoom(count)) {
            found(Fault.NO_MEMORY);
        }
        if (fault == null) {
            System.arraycopy(source, from, octets, length, count);
            length += count;
        } else {
            release();
            if (contentLength > contentBytesMax + policy.discardBytesMax()) {
                found(Fault.ENDLESS);
            }
        }
    }

    /** Puts the memory back; what was collected is gone. */
    void release() {
        memory.release(octets.length);
        octets = new byte[0];
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

    private boolean makeRoom(int count) {
        int needed = length + count;
        if (needed <= octets.length) {
            return true;
        }
        long most = traceLength + contentBytesMax;
        long expected = traceLength + declaredBytes;
        long grown = needed <= expected
                ? Math.min((long) octets.length * GROWTH_DECLARED, expected)
                : (long) octets.length * GROWTH_UNDECLARED;
        int capacity = Math.toIntExact(Math.min(Math.max(grown, needed), most));
        if (!memory.reserve(capacity)) {
            return false;
        }
        int before = octets.length;
        octets = Arrays.copyOf(octets, capacity);
        memory.release(before);
        return true;
    }
}
