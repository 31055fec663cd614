package dev.oneshot.authentication.dns;

import java.net.IDN;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Domain names as they are compared and looked up: A-labels in lower case, without a last dot. */
public final class DomainNames {

    private static final int CHARACTERS_MAX = 253;
    private static final int LABEL_CHARACTERS_MAX = 63;

    /** IDNA2008 keeps these. The JDK's IDNA2003 maps them to another domain, whose owner could pass as the sender. */
    private static final Pattern DEVIATION = Pattern.compile("[\u00DF\u03C2\u200C\u200D]");

    private DomainNames() {}

    /** The name in canonical form (RFC 8616 §4 for U-labels); empty if the text is no domain name. */
    public static Optional<String> canonical(String text) {
        if (text.length() > CHARACTERS_MAX) {
            return Optional.empty();
        }
        String rooted = withoutLastDot(text);
        if (isName(rooted)) {
            return Optional.of(rooted);
        }
        if (DEVIATION.matcher(text).find()) {
            return Optional.empty();
        }
        try {
            String name = IDN.toASCII(rooted, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
            return name.length() <= CHARACTERS_MAX && isName(name) ? Optional.of(name) : Optional.empty();
        } catch (RuntimeException _) {
            // Not only IllegalArgumentException: after nameprep, a label may be too long for punycode.
            return Optional.empty();
        }
    }

    /** Whether this is a name in A-labels and lower case. Underscores occur in real names. */
    private static boolean isName(String text) {
        int labelCharacters = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isFirst = labelCharacters == 0;
            boolean isInLabel = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || (c == '-' && !isFirst);
            if (c == '.' ? isFirst : !isInLabel || labelCharacters == LABEL_CHARACTERS_MAX) {
                return false;
            }
            labelCharacters = c == '.' ? 0 : labelCharacters + 1;
        }
        return labelCharacters > 0;
    }

    public static String withoutLastDot(String name) {
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /** Whether a name is a domain or below it; both canonical. */
    public static boolean isWithin(String name, String domain) {
        return name.equals(domain) || name.endsWith("." + domain);
    }
}
