package dev.oneshot.mailer.compose;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parameter {@code filename} (RFC 2183 §2.3): quoted if it is ASCII, else in the extended form (RFC 2231). */
final class FilenameParameter {

    /** The most characters of one section {@code  filename*n*=}, so that its line stays below 78 characters. */
    private static final int SECTION_CHARACTERS = 54;

    /** Visible ASCII that fits into a line. Some readers take quotes and percent signs for the extended form. */
    private static final Pattern PLAIN = Pattern.compile("[ -~&&[^'%]]{0,60}");

    /** A section does not end within an encoded octet. */
    private static final Pattern SECTION = Pattern.compile(".{1," + SECTION_CHARACTERS + "}(?<!%.?)");

    private FilenameParameter() {}

    /** The parameter and the separator before it, folded. */
    static String after(String filename) {
        if (!filename.contains("=?") && PLAIN.matcher(filename).matches()) {
            return ";\r\n filename=\"" + filename.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        }
        return extended(filename);
    }

    private static String extended(String filename) {
        // RFC 2231 allows all other characters that URLEncoder keeps.
        String encoded = "utf-8''"
                + URLEncoder.encode(filename, StandardCharsets.UTF_8)
                        .replace("+", "%20")
                        .replace("*", "%2A");
        if (encoded.length() <= SECTION_CHARACTERS) {
            return ";\r\n filename*=" + encoded;
        }
        StringBuilder parameter = new StringBuilder();
        Matcher sections = SECTION.matcher(encoded);
        for (int number = 0; sections.find(); number++) {
            parameter.append(";\r\n filename*").append(number).append("*=").append(sections.group());
        }
        return parameter.toString();
    }
}
