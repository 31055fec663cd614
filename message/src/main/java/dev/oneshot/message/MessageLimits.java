package dev.oneshot.message;

/**
 * How much of a message is read as structure. Beyond a bound, only the raw message has the rest, and {@link
 * MessageStructure#complete()} is false.
 *
 * @param partsMax how many attachments, and how many bodies; four times as many multiparts (1 to 100,000)
 * @param depthMax how deep multiparts are nested (0 to 100)
 * @param headerFieldsMax fields of one header section (1 to 100,000)
 * @param headerOctetsMax octets of one header section (1 to 16 MiB)
 */
public record MessageLimits(int partsMax, int depthMax, int headerFieldsMax, int headerOctetsMax) {

    /** Far above what mail programs send, and cheap to read. */
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
