package dev.oneshot.contracts.address;

/**
 * The largest e-mail an address takes and the largest attachment in it, as eight bits in the address id. The e-mail's
 * limit is {@code 64 KiB << code}, the attachment's is a number of sixteenths of that.
 *
 * <p>The limits of a plan must be size classes, so that the ingest nodes can enforce them from the id alone.
 *
 * @param code of the e-mail: 0 (64 KiB) to 10 (64 MiB)
 * @param attachmentSixteenths of the largest e-mail: 1 to 16
 */
public record SizeClass(int code, int attachmentSixteenths) {

    private static final int SMALLEST_BYTES = 64 * 1024;
    private static final int CODE_MAX = 10;
    private static final int SIXTEENTHS = 16;

    public SizeClass {
        if (code < 0 || code > CODE_MAX) {
            throw new IllegalArgumentException("size class must be between 0 and " + CODE_MAX + ", not " + code);
        }
        if (attachmentSixteenths < 1 || attachmentSixteenths > SIXTEENTHS) {
            throw new IllegalArgumentException(
                    "the largest attachment must be 1 to " + SIXTEENTHS + " sixteenths, not " + attachmentSixteenths);
        }
    }

    /**
     * The class of exactly this limit, with attachments as large as the e-mail.
     *
     * @throws IllegalArgumentException if the limit is not a power of two from 64 KiB to 64 MiB
     */
    public static SizeClass ofMessageBytesMax(long messageBytesMax) {
        for (int code = 0; code <= CODE_MAX; code++) {
            if (messageBytesMax == (long) SMALLEST_BYTES << code) {
                return new SizeClass(code, SIXTEENTHS);
            }
        }
        throw new IllegalArgumentException(
                "the largest e-mail must be a power of two from 65536 to 67108864 bytes, not " + messageBytesMax);
    }

    /**
     * The class with exactly this limit for attachments.
     *
     * @throws IllegalArgumentException if the limit is not a multiple of a sixteenth of the e-mail's limit
     */
    public SizeClass withAttachmentBytesMax(long attachmentBytesMax) {
        int sixteenth = messageBytesMax() / SIXTEENTHS;
        if (attachmentBytesMax < sixteenth
                || attachmentBytesMax > messageBytesMax()
                || attachmentBytesMax % sixteenth != 0) {
            throw new IllegalArgumentException("the largest attachment must be a multiple of " + sixteenth
                    + " bytes, which is a sixteenth of the largest e-mail, up to " + messageBytesMax() + ", not "
                    + attachmentBytesMax);
        }
        return new SizeClass(code, (int) (attachmentBytesMax / sixteenth));
    }

    /** The largest message in bytes as its sender counts them (RFC 1870 §3), without the trace fields of ingest. */
    public int messageBytesMax() {
        return SMALLEST_BYTES << code;
    }

    /** The largest attachment in decoded bytes. */
    public int attachmentBytesMax() {
        return messageBytesMax() / SIXTEENTHS * attachmentSixteenths;
    }
}
