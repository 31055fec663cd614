package dev.oneshot.message;

/**
 * How much of a message is read as structure. Beyond a bound the message stays readable as raw, and
 * {@link MessageStructure#complete()} is false.
 *
 * @param partsMax attachments, and as many parts that are bodies, and as many multiparts (1 to 100,000 each)
 * @param depthMax multiparts inside each other (0 to 100)
 * @param headerFieldsMax fields read of one header section (1 to 100,000)
 * @param headerOctetsMax octets read of one header section (1 to 16 MiB)
 */
public record MessageLimits(int partsMax, int depthMax, int headerFieldsMax, int headerOctetsMax) {

    /** Far above what mail programs send, far below what hurts. */
    public static final MessageLimits DEFAULTS = new MessageLimits(1_000, 30, 5_000, 1 << 20);

    public MessageLimits {
        check("partsMax", partsMax, 1, 100_000);
        check("depthMax", depthMax, 0, 100);
        check("headerFieldsMax", headerFieldsMax, 1, 100_000);
        check("headerOctetsMax", headerOctetsMax, 1, 16 << 20);
    }

    private static void check(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be between " + min + " and " + max);
        }
    }
}
