package dev.oneshot.authentication.dns;

import dev.oneshot.message.ALabels;
import java.net.IDN;
import java.util.Locale;
import java.util.Optional;

/** Domain names as they are compared and looked up: A-labels in lower case, without a last dot. */
public final class DomainNames {

    private static final int CHARACTERS_MAX = 253;
    private static final int LABEL_CHARACTERS_MAX = 63;

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
        try {
            String name = ALabels.of(rooted, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
            return name.length() <= CHARACTERS_MAX && isName(name) ? Optional.of(name) : Optional.empty();
        } catch (IllegalArgumentException _) {
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
