package dev.oneshot.authentication.dkim;

import dev.oneshot.authentication.dkim.HeaderSection.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The octets of a header section that a signature covers (RFC 6376 §3.4.1, §3.4.2, §3.7). */
final class SignedHeader {

    private SignedHeader() {}

    /** The named fields, of each name the lowest first, then the signature's own field without its value. */
    static byte[] octets(HeaderSection header, Field own, List<String> signed, boolean relaxed) {
        Map<String, Deque<Field>> byName = new HashMap<>();
        for (Field field : header.fields()) {
            // Only other signatures can be among the signed fields.
            if (signed.contains(field.name()) && field.start() != own.start()) {
                byName.computeIfAbsent(field.name(), _ -> new ArrayDeque<>()).push(field);
            }
        }
        List<String> fields = new ArrayList<>();
        for (String name : signed) {
            Field field = byName.getOrDefault(name, new ArrayDeque<>()).poll();
            if (field != null) {
                fields.add(canonical(field, field.value(), relaxed));
            }
        }
        fields.add(canonical(own, unsigned(own.value()), relaxed));
        return String.join("\r\n", fields).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A list of tags without the value of {@code b=}. */
    private static String unsigned(String tags) {
        for (int start = 0, end; start < tags.length(); start = end + 1) {
            int semicolon = tags.indexOf(';', start);
            end = semicolon < 0 ? tags.length() : semicolon;
            int equals = tags.indexOf('=', start);
            if (equals >= 0
                    && equals < end
                    && tags.substring(start, equals).strip().equals("b")) {
                return tags.substring(0, equals + 1) + tags.substring(end);
            }
        }
        return tags;
    }

    private static String canonical(Field field, String value, boolean relaxed) {
        if (!relaxed) {
            return field.label() + value;
        }
        StringBuilder text = new StringBuilder(field.name().length() + 1 + value.length())
                .append(field.name())
                .append(':');
        int start = text.length();
        boolean blank = false;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == ' ' || c == '\t') {
                blank = true;
            } else if (c != '\n' && !(c == '\r' && value.startsWith("\n", i + 1))) {
                if (blank && text.length() > start) {
                    text.append(' ');
                }
                blank = false;
                text.append(c);
            }
        }
        return text.toString();
    }
}
