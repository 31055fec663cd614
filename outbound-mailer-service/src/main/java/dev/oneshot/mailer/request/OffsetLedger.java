package dev.oneshot.mailer.request;

import java.util.Base64;
import java.util.BitSet;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * Which records of one partition are done, though they end in another order than they came. What is done beyond the
 * first that is not goes into the metadata of the committed offset, so that a restart repeats only what was not done.
 *
 * <p>For one thread.
 */
final class OffsetLedger {

    /** How far a record may run ahead of the oldest that is not done: its bits fit the 4096 characters of metadata. */
    static final int WINDOW = 16_384;

    private static final String FORMAT = "1:";

    /** Everything below is done. */
    private long base;
    /** Bit i: {@code base + i} is done. */
    private BitSet done;
    /** No record below this is still to come. */
    private long next;

    private OffsetLedger(long base, BitSet done) {
        this.base = base;
        this.done = done;
        this.next = base;
    }

    /** A ledger in which everything before this offset is done, and nothing else. */
    static OffsetLedger from(long offset) {
        return new OffsetLedger(offset, new BitSet());
    }

    /** The ledger as it was committed. Metadata that others wrote counts as none. */
    static OffsetLedger restore(OffsetAndMetadata committed) {
        String metadata = committed.metadata();
        if (!metadata.startsWith(FORMAT)) {
            return from(committed.offset());
        }
        byte[] bits = Base64.getDecoder().decode(metadata.substring(FORMAT.length()));
        return new OffsetLedger(committed.offset(), BitSet.valueOf(bits));
    }

    /** What to commit. */
    OffsetAndMetadata committable() {
        String bits = Base64.getEncoder().encodeToString(done.toByteArray());
        return new OffsetAndMetadata(base, bits.isEmpty() ? "" : FORMAT + bits);
    }

    boolean isDone(long offset) {
        return offset < base || (offset - base < WINDOW && done.get((int) (offset - base)));
    }

    /**
     * Takes note of a record as it comes. Offsets that were skipped since the one before it (the marks of transactions
     * have offsets of their own) count as done.
     *
     * @return whether there is room to begin it; if not, it has to come again later
     */
    boolean arrive(long offset) {
        if (next <= base) {
            skipFromBase(offset);
        }
        if (offset - base >= WINDOW) {
            return false;
        }
        for (long missing = Math.max(next, base); missing < offset; missing++) {
            done.set((int) (missing - base));
        }
        next = Math.max(next, offset + 1);
        return true;
    }

    private void skipFromBase(long offset) {
        if (offset > base) {
            int ahead = Math.toIntExact(Math.min(offset - base, WINDOW));
            done = done.get(ahead, Math.max(ahead, done.length()));
            base = offset;
            next = offset;
        }
    }

    void finish(long offset) {
        if (offset >= base) {
            done.set((int) (offset - base));
            advance();
        }
    }

    private void advance() {
        int ahead = done.nextClearBit(0);
        if (ahead > 0) {
            done = done.get(ahead, Math.max(ahead, done.length()));
            base += ahead;
        }
    }

    /** The first offset that is not done. */
    long base() {
        return base;
    }

    /** How many records came and are not done, less those that were done before they came, by an earlier commit. */
    long open() {
        return Math.max(0, next - base) - done.cardinality();
    }
}
