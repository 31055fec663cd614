package dev.oneshot.contracts.event;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/** An immutable slice of an array: the bytes of a message, never copied. */
public final class Octets {

    private final byte[] array;
    private final int offset;
    private final int length;

    private Octets(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /** Wraps an array. The caller must not change it afterwards. */
    public static Octets of(byte[] array) {
        return new Octets(array, 0, array.length);
    }

    /** Wraps a slice of an array. The caller must not change it afterwards. */
    public static Octets of(byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        return new Octets(array, offset, length);
    }

    /** The array the slice lies in; read only. */
    public byte[] array() {
        return array;
    }

    /** Where the slice begins in {@link #array()}. */
    public int offset() {
        return offset;
    }

    public int length() {
        return length;
    }

    /** Reads the slice without copying it. */
    public InputStream stream() {
        return new ByteArrayInputStream(array, offset, length);
    }

    /** A copy of the slice. */
    public byte[] toByteArray() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Octets that
                && Arrays.equals(array, offset, offset + length, that.array, that.offset, that.offset + that.length);
    }

    @Override
    public int hashCode() {
        return ByteBuffer.wrap(array, offset, length).hashCode();
    }

    @Override
    public String toString() {
        return "Octets[" + length + "]";
    }
}
