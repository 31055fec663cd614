package dev.oneshot.api.sending;

import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The grammar of a mailbox: {@code Mailbox} of RFC 5321 §4.1.2 with what RFC 6531 §3.3 adds. */
public final class EmailAddress {

    private static final int CHARACTERS_MAX = 254;
    private static final int LOCAL_PART_OCTETS_MAX = 64;
    private static final int DOMAIN_CHARACTERS_MAX = 253;

    private static final String ATOM = "(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]|[^\\x00-\\x7F])++";
    private static final Pattern DOT_STRING = Pattern.compile(ATOM + "(?:\\." + ATOM + ")*+");
    private static final Pattern QUOTED_STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\[ -~])*+\"");
    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
    private static final Pattern IPV6_FULL = Pattern.compile("[0-9a-fA-F]{1,4}(:[0-9a-fA-F]{1,4}){7}");
    private static final Pattern IPV6_SHORT =
            Pattern.compile("([0-9a-fA-F]{1,4}(:[0-9a-fA-F]{1,4}){0,5})?::([0-9a-fA-F]{1,4}(:[0-9a-fA-F]{1,4}){0,5})?");

    private EmailAddress() {}

    /** Whether this is one, without a display name and without angle brackets. */
    public static boolean isValid(String text) {
        int at = text.lastIndexOf('@');
        if (at < 1 || text.length() > CHARACTERS_MAX || !isPrintable(text)) {
            return false;
        }
        String localPart = text.substring(0, at);
        return localPart.getBytes(StandardCharsets.UTF_8).length <= LOCAL_PART_OCTETS_MAX
                && (DOT_STRING.matcher(localPart).matches()
                        || QUOTED_STRING.matcher(localPart).matches())
                && isDomain(text.substring(at + 1));
    }

    private static boolean isPrintable(String text) {
        return text.codePoints().noneMatch(c -> switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            case Character.SPACE_SEPARATOR -> c != ' ';
            default -> false;
        });
    }

    private static boolean isDomain(String domain) {
        if (domain.startsWith("[")) {
            return domain.endsWith("]") && isAddressLiteral(domain.substring(1, domain.length() - 1));
        }
        if (domain.isEmpty() || domain.endsWith(".")) {
            return false;
        }
        try {
            String ascii = IDN.toASCII(domain, IDN.USE_STD3_ASCII_RULES);
            return !ascii.isEmpty() && ascii.length() <= DOMAIN_CHARACTERS_MAX && !ascii.endsWith(".");
        } catch (RuntimeException _) {
            // Not only IllegalArgumentException: after nameprep, a label may be too long for punycode.
            return false;
        }
    }

    private static boolean isAddressLiteral(String literal) {
        if (IPV4.matcher(literal).matches()) {
            return true;
        }
        if (!literal.regionMatches(true, 0, "IPv6:", 0, 5)) {
            return false;
        }
        String address = literal.substring(5);
        return IPV6_FULL.matcher(address).matches() || isShortIpv6(address);
    }

    /** Two colons stand for at least two groups of zeros (RFC 5321 §4.1.3). */
    private static boolean isShortIpv6(String address) {
        return IPV6_SHORT.matcher(address).matches()
                && address.chars().filter(c -> c == ':').count() <= 7;
    }
}
