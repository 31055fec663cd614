package dev.oneshot.ingest.recipient;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A set of numbers whose lowest bit is a payload: an open-addressing table of longs, 11 to 16 bytes an entry. One
 * thread adds, any number read without waiting.
 */
final class Fingerprints {

    private static final int CAPACITY_MIN = 64;
    private static final long EMPTY = 0;

    private volatile AtomicLongArray slots = new AtomicLongArray(CAPACITY_MIN);
    private int size;

    /** The entry with its payload, or 0 if there is none. */
    long find(long fingerprint) {
        AtomicLongArray table = slots;
        long key = key(fingerprint);
        for (int i = start(key, table.length()); ; i = next(i, table.length())) {
            long entry = table.getAcquire(i);
            if (entry == EMPTY || (entry | 1) == key) {
                return entry;
            }
        }
    }

    /** Adds an entry, or replaces the payload of an existing one. */
    void put(long fingerprint, boolean payload) {
        if ((size + 1) * 4L > slots.length() * 3L) {
            grow();
        }
        if (insert(slots, key(fingerprint), payload)) {
            size++;
        }
    }

    int size() {
        return size;
    }

    private void grow() {
        AtomicLongArray larger = new AtomicLongArray(Math.addExact(slots.length(), slots.length() / 2));
        for (int i = 0; i < slots.length(); i++) {
            long entry = slots.getPlain(i);
            if (entry != EMPTY) {
                insert(larger, entry | 1, (entry & 1) != 0);
            }
        }
        slots = larger;
    }

    private static boolean insert(AtomicLongArray table, long key, boolean payload) {
        int i = start(key, table.length());
        long entry = table.getPlain(i);
        while (entry != EMPTY && (entry | 1) != key) {
            i = next(i, table.length());
            entry = table.getPlain(i);
        }
        table.setRelease(i, payload ? key : key & ~1);
        return entry == EMPTY;
    }

    /** Sets the payload's bit, and never yields the value of an empty slot. */
    private static long key(long fingerprint) {
        long key = fingerprint | 1;
        return key == 1 ? 3 : key;
    }

    private static int start(long key, int length) {
        return (int) Math.unsignedMultiplyHigh(key, length);
    }

    private static int next(int i, int length) {
        return i + 1 == length ? 0 : i + 1;
    }
}
