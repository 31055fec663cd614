package dev.oneshot.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The octets that the client of a transcript sends; a README next to the transcripts describes the format. */
final class ClientOctets {

    private static final Pattern REPEAT = Pattern.compile("\\\\rep\\{([0-9]+),([^}]*)}");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:x([0-9a-fA-F]{2})|(.))", Pattern.DOTALL);

    private ClientOctets() {}

    static byte[] of(List<String> lines) {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        for (String line : lines) {
            String text = line.length() > 3 ? line.substring(3) : "";
            if (line.startsWith("C:")) {
                octets.writeBytes(unescaped(text + "\\r\\n"));
            } else if (line.startsWith("C|")) {
                octets.writeBytes(unescaped(text));
            }
        }
        return octets.toByteArray();
    }

    private static byte[] unescaped(String text) {
        String repeated = REPEAT.matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(match.group(2).repeat(Integer.parseInt(match.group(1)))));
        // While escapes are replaced, each character is one octet of UTF-8.
        String octets = new String(repeated.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return ESCAPE.matcher(octets)
                .replaceAll(
                        match -> Matcher.quoteReplacement(Character.toString(octet(match.group(1), match.group(2)))))
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static int octet(String hex, String letter) {
        if (hex != null) {
            return Integer.parseInt(hex, 16);
        }
        return switch (letter) {
            case "r" -> '\r';
            case "n" -> '\n';
            case "t" -> '\t';
            case "s" -> ' ';
            case "\\" -> '\\';
            default -> throw new IllegalArgumentException("unknown escape \\" + letter);
        };
    }
}
