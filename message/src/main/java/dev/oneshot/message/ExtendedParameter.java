package dev.oneshot.message;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * A parameter value in the forms of RFC 2231: {@code name*=charset'language'%41}, numbered sections {@code name*0},
 * {@code name*1}, and both together. Octets of sections are joined, as characters may be split between them.
 */
final class ExtendedParameter {

    private record Section(String value, boolean extended) {}

    private final Map<Integer, Section> sections = new TreeMap<>();

    /**
     * Adds a section by the suffix of its name: {@code *}, {@code *0} or {@code *0*}. The first of several equal ones
     * counts.
     */
    void add(String suffix, String value) {
        boolean extended = suffix.endsWith("*");
        int number = suffix.length() == 1 ? 0 : number(suffix.substring(1, suffix.length() - (extended ? 1 : 0)));
        if (number >= 0) {
            sections.putIfAbsent(number, new Section(value, extended));
        }
    }

    /**
     * The whole value; empty if there are no sections.
     *
     * @param hint the charset label of a value that has none and is not UTF-8; empty if it is not known
     */
    String decode(String hint) {
        if (sections.isEmpty()) {
            return "";
        }
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        String charset = "";
        boolean first = true;
        boolean anyExtended = false;
        for (Section section : sections.values()) {
            String value = section.value;
            anyExtended |= section.extended;
            if (section.extended && first) {
                int quote = value.indexOf('\'');
                int second = quote < 0 ? -1 : value.indexOf('\'', quote + 1);
                if (second >= 0) {
                    charset = value.substring(0, quote);
                    value = value.substring(second + 1);
                }
            }
            first = false;
            octets.writeBytes(section.extended ? percentDecoded(value) : value.getBytes(StandardCharsets.ISO_8859_1));
        }
        byte[] joined = octets.toByteArray();
        // Some programs use encoded words here, against RFC 2047 §5.
        return HeaderText.decode(
                anyExtended && !charset.isEmpty()
                        ? Charsets.decode(charset, joined, 0, joined.length).getBytes(StandardCharsets.UTF_8)
                        : joined,
                hint);
    }

    private static byte[] percentDecoded(String value) {
        byte[] octets = value.getBytes(StandardCharsets.ISO_8859_1);
        int length = 0;
        for (int i = 0; i < octets.length; i++) {
            int decoded = octets[i] == '%' ? Lines.hexadecimal(octets, i + 1, octets.length) : -1;
            if (decoded >= 0) {
                octets[length++] = (byte) decoded;
                i += 2;
            } else {
                octets[length++] = octets[i];
            }
        }
        return Arrays.copyOf(octets, length);
    }

    private static int number(String digits) {
        return digits.matches("[0-9]{1,4}") ? Integer.parseInt(digits) : -1;
    }
}
