package dev.oneshot.mailer.compose;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The parameter {@code filename} (RFC 2183 §2.3): quoted if it is ASCII, else in the extended form (RFC 2231). */
final class FilenameParameter {

    /** The octets of one section {@code  filename*n*=}, so that its line stays below 78 characters. */
    private static final int SECTION_CHARACTERS = 54;

    private static final int QUOTED_CHARACTERS_MAX = 60;
    private static final String ATTRIBUTE_PUNCTUATION = "!#$&+-.^_`|~";

    private FilenameParameter() {}

    /** The parameter and the separator before it, folded. */
    static String after(String filename) {
        if (filename.length() <= QUOTED_CHARACTERS_MAX && isPlain(filename)) {
            return ";\r\n filename=\"" + filename.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        }
        return extended(filename);
    }

    private static boolean isPlain(String filename) {
        // Some readers take quotes and percent signs anywhere for the extended form.
        return !filename.contains("=?")
                && filename.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '\'' && c != '%');
    }

    private static String extended(String filename) {
        StringBuilder parameter = new StringBuilder();
        StringBuilder section = new StringBuilder("utf-8''");
        int sections = 0;
        for (byte octet : filename.getBytes(StandardCharsets.UTF_8)) {
            String encoded = encoded(octet);
            if (section.length() + encoded.length() > SECTION_CHARACTERS) {
                append(parameter, sections++, section);
            }
            section.append(encoded);
        }
        if (sections == 0) {
            return ";\r\n filename*=" + section;
        }
        append(parameter, sections, section);
        return parameter.toString();
    }

    private static void append(StringBuilder parameter, int number, StringBuilder section) {
        parameter.append(";\r\n filename*").append(number).append("*=").append(section);
        section.setLength(0);
    }

    private static String encoded(byte octet) {
        char character = (char) (octet & 0xFF);
        boolean plain = (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9')
                || ATTRIBUTE_PUNCTUATION.indexOf(character) >= 0;
        return plain ? String.valueOf(character) : String.format(Locale.ROOT, "%%%02X", (int) character);
    }
}
