package dev.oneshot.message;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a delivery status notification (RFC 3464, RFC 6533) says about its recipients.
 *
 * @param failed by address, final or original, the enhanced status code (RFC 3463) of each recipient whose action is
 *     {@code failed}, such as {@code 5.1.1}; {@value #NO_STATUS} if it has none that is valid. Addresses are as the
 *     notification has them, without their type, and decoded as well if they seem to be encoded
 */
public record DeliveryStatus(Map<String, String> failed) {

    /** Stands for a status that is missing or invalid: a permanent failure without details (RFC 3463 §3.1). */
    public static final String NO_STATUS = "5.0.0";

    /** A notification names the recipients of one mail. */
    private static final int OCTETS_MAX = 64 * 1024;

    private static final int GROUPS_MAX = 100;
    /** A local part of 64 octets, a domain of 255, and each octet as a character that takes more in an encoded form. */
    private static final int ADDRESS_CHARACTERS_MAX = 1_000;

    private static final Pattern STATUS = Pattern.compile("[45]\\.\\d{1,3}\\.\\d{1,3}");
    private static final Pattern TYPE = Pattern.compile("^[^;@\"]*+;");
    private static final Pattern COMMENT = Pattern.compile("\\([^()]*+\\)\\s*+$");
    /** xtext (RFC 3461 §4) and utf-8-addr-xtext (RFC 6533 §3). */
    private static final Pattern ENCODED = Pattern.compile("\\+([0-9A-F]{2})|\\\\x\\{([0-9A-Fa-f]{2,6})}");

    public DeliveryStatus {
        failed = Map.copyOf(failed);
    }

    /**
     * Reads a message, whatever its content type: gateways send notifications without {@code report-type} too.
     *
     * @param structure of the message
     * @param octets the array that has the message at {@code offset}
     * @return empty if it has no part of the type {@code message/delivery-status} that names a recipient with an action
     */
    public static Optional<DeliveryStatus> of(MessageStructure structure, byte[] octets, int offset) {
        return structure.attachments().stream()
                .filter(part -> part.contentType().equals("message/delivery-status")
                        || part.contentType().equals("message/global-delivery-status"))
                .findFirst()
                .flatMap(part -> ofRecipients(decoded(part.content(), octets, offset)));
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
     * about a recipient has an address and the field Action (§2.3); others are ignored.
     */
    private static Optional<DeliveryStatus> ofRecipients(byte[] groups) {
        Map<String, String> failed = new LinkedHashMap<>();
        boolean any = false;
        int at = 0;
        for (int i = 0; i < GROUPS_MAX && at < groups.length; i++) {
            HeaderBlock group = HeaderBlock.ofPart(groups, at, groups.length, MessageLimits.DEFAULTS, new Boundaries());
            List<String> addresses = List.of(address(group, "final-recipient"), address(group, "original-recipient"));
            String action = addresses.stream().allMatch(String::isEmpty) ? "" : word(group, "action");
            if (action.equals("failed")) {
                String status = word(group, "status");
                addresses.forEach(
                        address -> put(failed, address, STATUS.matcher(status).matches() ? status : NO_STATUS));
            }
            any |= !action.isEmpty();
            at = group.bodyStart();
        }
        return any ? Optional.of(new DeliveryStatus(failed)) : Optional.empty();
    }

    private static void put(Map<String, String> failed, String address, String status) {
        if (!address.isEmpty() && address.length() <= ADDRESS_CHARACTERS_MAX) {
            failed.putIfAbsent(address, status);
            failed.putIfAbsent(ENCODED.matcher(address).replaceAll(DeliveryStatus::character), status);
        }
    }

    private static String character(MatchResult encoded) {
        String digits = encoded.group(1) == null ? encoded.group(2) : encoded.group(1);
        int codePoint = Integer.parseInt(digits, 16);
        boolean isText = Character.isValidCodePoint(codePoint)
                && !Character.isISOControl(codePoint)
                && Character.getType(codePoint) != Character.SURROGATE;
        return Matcher.quoteReplacement(isText ? Character.toString(codePoint) : encoded.group());
    }

    /** The address of a field {@code type; address}, without a display name, brackets and a comment. */
    private static String address(HeaderBlock group, String lowerCaseName) {
        String text = HeaderText.clean(new String(group.firstValue(lowerCaseName), StandardCharsets.UTF_8));
        String address = COMMENT.matcher(TYPE.matcher(text).replaceFirst(""))
                .replaceFirst("")
                .strip();
        return address.endsWith(">")
                ? address.substring((address.startsWith("<") ? 0 : address.lastIndexOf('<')) + 1, address.length() - 1)
                        .strip()
                : address;
    }

    /** The first word of a field in lower case, without comments. */
    private static String word(HeaderBlock group, String lowerCaseName) {
        return ParameterList.parse(group.firstValue(lowerCaseName)).value().toLowerCase(Locale.ROOT);
    }
}
