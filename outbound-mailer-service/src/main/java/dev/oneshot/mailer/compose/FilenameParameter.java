package dev.oneshot.mailer.compose;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of an attachment: as {@code filename} (RFC 2183 §2.3), quoted if it is ASCII, else in the extended form (RFC 2231);
 * and as {@code name} of the content type, as some mail programs read no extended form.
 */
final class FilenameParameter {

    /** The most characters of one section {@code  filename*n*=}, so that its line stays below 78 characters. */
    private static final int SECTION_CHARACTERS = 54;

    /** Visible ASCII. The line of the longest name, with all characters escaped, stays below 998 characters. */
    private static final Pattern ASCII = Pattern.compile("[ -~]*+");

    /** Some readers take these for the extended form. */
    private static final Pattern AMBIGUOUS = Pattern.compile("['%]");

    private static final Pattern NAME = Pattern.compile(";\\s*name(?:\\*[0-9]*\\*?)?\\s*=", Pattern.CASE_INSENSITIVE);

    /** A section does not end within an encoded octet. */
    private static final Pattern SECTION = Pattern.compile(".{1," + SECTION_CHARACTERS + "}(?<!%.?)");

    private FilenameParameter() {}

    /** The parameter and the separator before it, folded. */
    static String after(String filename) {
        return isAscii(filename) && !AMBIGUOUS.matcher(filename).find()
                ? ";\r\n filename=" + quoted(filename)
                : extended(filename);
    }

    /** The content type with the parameter {@code name}, unless it has one. Encoded words are what mail programs expect there. */
    static String in(String contentType, String filename) {
        if (NAME.matcher(contentType).find()) {
            return contentType;
        }
        return contentType + ";\r\n name="
                + (isAscii(filename) ? quoted(filename) : '"' + UnstructuredField.encoded(filename) + '"');
    }

    /** Whether a name is ASCII that no reader decodes. */
    private static boolean isAscii(String filename) {
        return !filename.contains("=?") && ASCII.matcher(filename).matches();
    }

    private static String quoted(String filename) {
        return '"' + filename.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static String extended(String filename) {
        // RFC 2231 allows the other characters that URLEncoder keeps.
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
