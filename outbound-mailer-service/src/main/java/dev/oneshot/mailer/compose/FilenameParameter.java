package dev.oneshot.mailer.compose;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/** The parameter {@code filename} (RFC 2183 §2.3): quoted if it is ASCII, else in the extended form (RFC 2231). */
final class FilenameParameter {

    /** The bytes of one section {@code  filename*n*=}, so that its line stays below 78 characters. */
    private static final int SECTION_CHARACTERS = 54;

    /** Visible ASCII that fits into a line. Some readers take quotes and percent signs for the extended form. */
    private static final Pattern PLAIN = Pattern.compile("[ -~&&[^'%]]{0,60}");

    private static final Pattern ATTRIBUTE_CHARACTER = Pattern.compile("[A-Za-z0-9!#$&+.^_`|~-]");

    private FilenameParameter() {}

    /** The parameter and the separator before it, folded. */
    static String after(String filename) {
        if (!filename.contains("=?") && PLAIN.matcher(filename).matches()) {
            return ";\r\n filename=\"" + filename.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        }
        return extended(filename);
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
        String character = String.valueOf((char) (octet & 0xFF));
        return ATTRIBUTE_CHARACTER.matcher(character).matches()
                ? character
                : String.format(Locale.ROOT, "%%%02X", octet);
    }
}
