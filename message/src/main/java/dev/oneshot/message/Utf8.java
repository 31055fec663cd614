package dev.oneshot.message;

/** Tells UTF-8 (RFC 3629) from the 8-bit charsets. */
final class Utf8 {

    /** The most malformed octets for each well-formed character in text that is labelled UTF-8. */
    private static final int DAMAGE_MAX = 7;

    private Utf8() {}

    /**
     * Whether octets are likely UTF-8: all of them, or enough characters are well formed. Text of another charset
     * rarely has a well-formed one. A character that was cut off counts as neither.
     *
     * @param labelled whether they are labelled UTF-8. Then one character for every {@value #DAMAGE_MAX} malformed
     *     octets is enough, as the rest may be damage, such as a cut subject or a footer after base64. Otherwise more
     *     characters must be well formed than not.
     */
    static boolean isLikely(byte[] octets, int from, int to, boolean labelled) {
        int good = 0;
        int bad = 0;
        int cut = 0;
        int i = from;
        while (i < to) {
            if (octets[i] >= 0) {
                i++;
                continue;
            }
            int length = sequence(octets, i, to);
            int cutLength = length > 0 ? 0 : cutSequence(octets, i, to);
            if (length > 0) {
                good++;
            } else if (cutLength > 0) {
                cut++;
            } else {
                bad++;
            }
            i += Math.max(1, Math.max(length, cutLength));
        }
        if (bad == 0 && good == 0) {
            return labelled || cut == 0;
        }
        return labelled ? bad <= good * (long) DAMAGE_MAX : good > bad;
    }

    /**
     * The length of a sequence that lacks its last octets, or 0. Programs cut subjects at a number of octets. What is also likely as
     * windows-1252 does not count: anywhere in a text, three of four octets must be there; at its end, two octets, of which the second is
     * no punctuation there, or C2 or C3 alone.
     */
    private static int cutSequence(byte[] octets, int at, int to) {
        int lead = octets[at] & 0xFF;
        if (lead < 0xC2 || lead > 0xF4) {
            return 0;
        }
        int length = length(lead);
        int found = 1;
        while (found < length && at + found < to && (octets[at + found] & 0xC0) == 0x80) {
            found++;
        }
        boolean isAmbiguous = found == 1 ? lead > 0xC3 : found == 2 && isPunctuation(octets[at + 1] & 0xFF);
        boolean atEnd = at + found == to && !isAmbiguous;
        return found < length && (atEnd || found == 3) ? found : 0;
    }

    /** What often ends a text in windows-1252: an ellipsis, a quotation mark, a dash, or a no-break space. */
    private static boolean isPunctuation(int octet) {
        return switch (octet) {
            case 0x85, 0x92, 0x94, 0x96, 0x97, 0xA0, 0xBB -> true;
            default -> false;
        };
    }

    /** How many octets a sequence has that begins with this one. */
    private static int length(int lead) {
        return lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    }

    /** The length of the well-formed sequence at {@code at}, or 0. */
    private static int sequence(byte[] octets, int at, int to) {
        int lead = octets[at] & 0xFF;
        int length = length(lead);
        if (lead < 0xC2 || lead > 0xF4 || at + length > to) {
            return 0;
        }
        int point = lead & (0x7F >> length);
        for (int i = 1; i < length; i++) {
            if ((octets[at + i] & 0xC0) != 0x80) {
                return 0;
            }
            point = point << 6 | (octets[at + i] & 0x3F);
        }
        boolean overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
        boolean noCharacter = (point >= 0xD800 && point <= 0xDFFF) || point > 0x10FFFF;
        return overlong || noCharacter ? 0 : length;
    }
}
