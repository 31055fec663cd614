package dev.oneshot.api.sending;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** Collects octets in segments, so that growing copies nothing; the whole is copied together once. */
final class SegmentedOctets extends OutputStream {

    private static final int SEGMENT_OCTETS_MIN = 8 * 1024;
    private static final int SEGMENT_OCTETS_MAX = 1024 * 1024;

    private final List<byte[]> full = new ArrayList<>();
    private byte[] segment = new byte[SEGMENT_OCTETS_MIN];
    private int used;
    private int fullOctets;

    @Override
    public void write(int octet) {
        if (used == segment.length) {
            next();
        }
        segment[used++] = (byte) octet;
    }

    @Override
    public void write(byte[] octets, int offset, int length) {
        int taken = 0;
        while (taken < length) {
            if (used == segment.length) {
                next();
            }
            int part = Math.min(length - taken, segment.length - used);
            System.arraycopy(octets, offset + taken, segment, used, part);
            used += part;
            taken += part;
        }
    }

    private void next() {
        full.add(segment);
        fullOctets = Math.addExact(fullOctets, used);
        segment = new byte[Math.min(SEGMENT_OCTETS_MAX, 2 * segment.length)];
        used = 0;
    }

    byte[] toByteArray() {
        byte[] whole = new byte[Math.addExact(fullOctets, used)];
        int at = 0;
        for (byte[] one : full) {
            System.arraycopy(one, 0, whole, at, one.length);
            at += one.length;
        }
        System.arraycopy(segment, 0, whole, at, used);
        return whole;
    }
}
