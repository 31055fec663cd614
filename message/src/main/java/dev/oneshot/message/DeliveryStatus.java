package dev.oneshot.message;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a delivery status notification (RFC 3464) says about its recipients.
 *
 * @param failed whether a recipient's action is {@code failed}; the other actions are not final or no failure
 * @param status the enhanced status code (RFC 3463) of the first such recipient, such as {@code 5.1.1}; {@value
 *     #NO_STATUS} if it has none that is valid
 */
public record DeliveryStatus(boolean failed, String status) {

    /** Stands for a status that is missing or invalid: a permanent failure without details (RFC 3463 §3.1). */
    public static final String NO_STATUS = "5.0.0";

    /** A notification names the recipients of one mail. */
    private static final int OCTETS_MAX = 64 * 1024;

    private static final int GROUPS_MAX = 100;
    private static final Pattern STATUS = Pattern.compile("[45]\\.\\d{1,3}\\.\\d{1,3}");

    /**
     * Reads a message.
     *
     * @param structure of the message
     * @param octets the array that has the message at {@code offset}
     * @return empty if it is no {@code multipart/report} of type {@code delivery-status}, or names no recipient with an
     *     action
     */
    public static Optional<DeliveryStatus> of(MessageStructure structure, byte[] octets, int offset) {
        return structure.attachments().stream()
                .filter(part -> part.contentType().equals("message/delivery-status")
                        || part.contentType().equals("message/global-delivery-status"))
                .findFirst()
                .filter(part -> isReport(structure, octets, offset, part.content()))
                .flatMap(part -> ofRecipients(decoded(part.content(), octets, offset)));
    }

    /** Whether the part is in a report whose boundary occurs. The reader also guesses boundaries, which do not count here. */
    private static boolean isReport(MessageStructure structure, byte[] octets, int offset, Leaf part) {
        return structure.headers().stream()
                .filter(field -> field.name().equalsIgnoreCase("content-type"))
                .findFirst()
                .map(field -> ParameterList.parse(field.value().getBytes(StandardCharsets.UTF_8)))
                .filter(type -> type.value().equals("multipart/report")
                        && type.word("report-type").equalsIgnoreCase("delivery-status"))
                .filter(type -> hasDelimiter(type, octets, offset, offset + part.offset()))
                .isPresent();
    }

    private static boolean hasDelimiter(ParameterList type, byte[] octets, int from, int to) {
        Boundaries boundaries = new Boundaries();
        var _ = boundaries.push(Boundaries.trimmed(type.rawOrDecoded("boundary")));
        boundaries.seek(octets, from, to);
        return boundaries.delimiter().level() != Boundaries.NO_LEVEL;
    }

    private static byte[] decoded(Leaf leaf, byte[] octets, int offset) {
        ByteArrayInputStream encoded = new ByteArrayInputStream(octets, offset + leaf.offset(), leaf.length());
        try {
            return leaf.transferEncoding().decoding(encoded).readNBytes(OCTETS_MAX);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads groups of fields with empty lines between them, of which the first is about the mail (RFC 3464 §2.1). A group
     * about a recipient has the fields Final-Recipient and Action (§2.3); others are ignored.
     */
    private static Optional<DeliveryStatus> ofRecipients(byte[] groups) {
        boolean any = false;
        int at = 0;
        for (int i = 0; i < GROUPS_MAX && at < groups.length; i++) {
            HeaderBlock group = HeaderBlock.ofPart(groups, at, groups.length, MessageLimits.DEFAULTS, new Boundaries());
            String action = word(group, "final-recipient").isEmpty() ? "" : word(group, "action");
            if (action.equals("failed")) {
                String status = word(group, "status");
                return Optional.of(
                        new DeliveryStatus(true, STATUS.matcher(status).matches() ? status : NO_STATUS));
            }
            any |= !action.isEmpty();
            at = group.bodyStart();
        }
        return any ? Optional.of(new DeliveryStatus(false, NO_STATUS)) : Optional.empty();
    }

    /** The first word of a field in lower case, without comments. */
    private static String word(HeaderBlock group, String lowerCaseName) {
        return ParameterList.parse(group.firstValue(lowerCaseName)).value().toLowerCase(Locale.ROOT);
    }
}
