package dev.oneshot.contracts.address;

/**
 * The largest e-mail an address takes, as the four bits of it that travel in the address id: {@code 64 KiB << code}.
 *
 * <p>Only these powers of two can be carried by an id, so a plan's limit has to be one of them; that is what lets the
 * ingest nodes enforce exactly the limit which the API states.
 *
 * @param code 0 (64 KiB) to 10 (64 MiB)
 */
public record SizeClass(int code) {

    private static final int SMALLEST_BYTES = 64 * 1024;
    private static final int CODE_MAX = 10;

    public SizeClass {
        if (code < 0 || code > CODE_MAX) {
            throw new IllegalArgumentException("size class must be between 0 and " + CODE_MAX + ", not " + code);
        }
    }

    /**
     * The class of exactly this limit.
     *
     * @throws IllegalArgumentException if the limit is not a power of two from 64 KiB to 64 MiB
     */
    public static SizeClass ofMessageBytesMax(long messageBytesMax) {
        for (int code = 0; code <= CODE_MAX; code++) {
            if (messageBytesMax == (long) SMALLEST_BYTES << code) {
                return new SizeClass(code);
            }
        }
        throw new IllegalArgumentException(
                "the largest e-mail must be a power of two from 65536 to 67108864 octets, not " + messageBytesMax);
    }

    /** The largest message in octets as its sender counts them (RFC 1870 §3); our trace fields come on top. */
    public int messageBytesMax() {
        return SMALLEST_BYTES << code;
    }
}
