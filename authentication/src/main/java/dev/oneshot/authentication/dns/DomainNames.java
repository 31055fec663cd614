package dev.oneshot.authentication.dns;

import java.net.IDN;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Domain names as they are compared and looked up: A-labels in lower case, without a last dot. */
public final class DomainNames {

    private static final int CHARACTERS_MAX = 253;
    // Underscores occur in real names.
    private static final Pattern NAME = Pattern.compile("[a-z0-9_]([a-z0-9_-]{0,62})(\\.[a-z0-9_]([a-z0-9_-]{0,62}))*");

    /** IDNA2008 keeps these. The JDK's IDNA2003 maps them to another domain, whose owner could pass as the sender. */
    private static final Pattern DEVIATION = Pattern.compile("[\u00DF\u03C2\u200C\u200D]");

    private DomainNames() {}

    /** The name in canonical form (RFC 8616 §4 for U-labels); empty if the text is no domain name. */
    public static Optional<String> canonical(String text) {
        if (text.length() > CHARACTERS_MAX || DEVIATION.matcher(text).find()) {
            return Optional.empty();
        }
        String rooted = withoutLastDot(text);
        if (NAME.matcher(rooted).matches()) {
            return Optional.of(rooted);
        }
        try {
            String name = IDN.toASCII(rooted, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
            return name.length() <= CHARACTERS_MAX && NAME.matcher(name).matches()
                    ? Optional.of(name)
                    : Optional.empty();
        } catch (RuntimeException _) {
            // Not only IllegalArgumentException: after nameprep, a label may be too long for punycode.
            return Optional.empty();
        }
    }

    public static String withoutLastDot(String name) {
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /** Whether a name is a domain or below it; both canonical. */
    public static boolean isWithin(String name, String domain) {
        return name.equals(domain) || name.endsWith("." + domain);
    }
}
