package dev.oneshot.client;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A link of an e-mail.
 *
 * @param text what the link shows, with white space collapsed: the text, an image's description, or the URL itself
 * @param href the URL, {@code http} or {@code https}, as the e-mail has it, without line ends; it may be malformed
 */
public record Link(String text, String href) {

    private static final Pattern PARTS = Pattern.compile(
            "(https?://(?:[^/?#@]*@)?)([^/?#@:\\[\\]]+|\\[[0-9a-fA-F:.]+\\])((?::[0-9]{1,5})?(?:[/?#].*)?)",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+|\\[.*\\]");

    /**
     * The URL in visible ASCII, as the URL parser of WHATWG writes it: tabs and line ends are dropped, and blanks, controls and
     * letters that are not ASCII are percent-encoded. Empty if it is no URL, for example because the host has a blank.
     */
    public Optional<String> url() {
        Matcher parts = PARTS.matcher(Words.trimmed(href).replaceAll("[\\t\\r\\n]", ""));
        if (!parts.matches()) {
            return Optional.empty();
        }
        String host;
        try {
            host = ALabels.of(parts.group(2));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        return HOST.matcher(host).matches()
                ? Optional.of(encoded(parts.group(1)) + host + encoded(parts.group(3)))
                : Optional.empty();
    }

    private static String encoded(String part) {
        StringBuilder encoded = new StringBuilder();
        for (byte octet : part.getBytes(StandardCharsets.UTF_8)) {
            boolean isVisible = octet > 0x20 && octet < 0x7f && "\"<>".indexOf(octet) < 0;
            encoded.append(isVisible ? String.valueOf((char) octet) : String.format(Locale.ROOT, "%%%02X", octet));
        }
        return encoded.toString();
    }
}
