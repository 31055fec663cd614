package dev.oneshot.api.sending;

import dev.oneshot.message.ALabels;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * The grammar of a mailbox: {@code Mailbox} of RFC 5321 §4.1.2 with what RFC 6531 §3.3 adds, in a domain with a dot. Address
 * literals and numbers are rejected, as they are usually mistakes.
 */
public final class EmailAddress {

    private static final int CHARACTERS_MAX = 254;
    private static final int LOCAL_PART_OCTETS_MAX = 64;
    private static final int DOMAIN_CHARACTERS_MAX = 253;

    /** Control, format, private and unassigned characters, unpaired surrogates, and all separators but the space. */
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{C}\\p{Z}&&[^ ]]");

    private static final String ATOM = "(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]|[^\\x00-\\x7F])++";
    private static final Pattern DOT_STRING = Pattern.compile(ATOM + "(?:\\." + ATOM + ")*+");
    private static final Pattern QUOTED_STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\[ -~])*+\"");
    /** A top-level domain is never a number (RFC 3696 §2). What looks like one is an IP address. */
    private static final Pattern PUBLIC_DOMAIN = Pattern.compile(".+\\.(?![0-9]+$)[^.]+");

    private EmailAddress() {}

    /** Whether a text is a mailbox, without a display name and angle brackets. */
    public static boolean isValid(String text) {
        int at = text.lastIndexOf('@');
        if (at < 1
                || text.length() > CHARACTERS_MAX
                || UNPRINTABLE.matcher(text).find()) {
            return false;
        }
        String localPart = text.substring(0, at);
        return localPart.getBytes(StandardCharsets.UTF_8).length <= LOCAL_PART_OCTETS_MAX
                && (DOT_STRING.matcher(localPart).matches()
                        || QUOTED_STRING.matcher(localPart).matches())
                && isDomain(text.substring(at + 1));
    }

    private static boolean isDomain(String domain) {
        try {
            String ascii = ALabels.of(domain, IDN.USE_STD3_ASCII_RULES);
            return ascii.length() <= DOMAIN_CHARACTERS_MAX
                    && PUBLIC_DOMAIN.matcher(ascii).matches();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
