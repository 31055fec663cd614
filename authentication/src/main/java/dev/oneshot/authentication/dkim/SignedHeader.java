package dev.oneshot.authentication.dkim;

import dev.oneshot.authentication.dkim.HeaderSection.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The octets of a header section that a signature covers (RFC 6376 §3.4.1, §3.4.2, §3.7). */
final class SignedHeader {

    private static final byte[] LINE_END = {'\r', '\n'};

    private final boolean relaxed;
    private final ByteBuffer octets;

    private SignedHeader(boolean relaxed, int bytesMax) {
        this.relaxed = relaxed;
        this.octets = ByteBuffer.allocate(bytesMax);
    }

    /** The named fields, of each name the lowest first, then the signature's own field without its value. */
    static byte[] octets(HeaderSection header, Field own, List<String> signed, boolean relaxed) {
        Map<String, Deque<Field>> byName = new HashMap<>();
        signed.forEach(name -> byName.computeIfAbsent(name, _ -> new ArrayDeque<>()));
        for (Field field : header.fields()) {
            Deque<Field> same = byName.get(field.name());
            // Only other signatures can be among the signed fields.
            if (same != null && field != own) {
                same.push(field);
            }
        }
        List<Field> fields = new ArrayList<>();
        int bytesMax = own.length();
        for (String name : signed) {
            Deque<Field> same = byName.get(name);
            if (same != null && !same.isEmpty()) {
                Field field = same.pop();
                fields.add(field);
                bytesMax += field.length() + LINE_END.length;
            }
        }
        SignedHeader section = new SignedHeader(relaxed, bytesMax);
        for (Field field : fields) {
            section.put(field, field.valueOctets());
            section.octets.put(LINE_END);
        }
        section.put(own, ByteBuffer.wrap(unsigned(own.value()).getBytes(StandardCharsets.ISO_8859_1)));
        return Arrays.copyOf(section.octets.array(), section.octets.position());
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

    private void put(Field field, ByteBuffer value) {
        if (!relaxed) {
            field.putLabel(octets);
            octets.put(value);
            return;
        }
        octets.put(field.name().getBytes(StandardCharsets.ISO_8859_1)).put((byte) ':');
        putRelaxed(value.array(), value.arrayOffset() + value.position(), value.arrayOffset() + value.limit());
    }

    /** Appends a value in the relaxed form (RFC 6376 §3.4.2): unfolded, each run of blanks as one, none at either end. */
    private void putRelaxed(byte[] value, int from, int to) {
        boolean isFirst = true;
        int at = from;
        while (at < to) {
            int blank = at;
            while (at < to && isSpace(value, at, to)) {
                at++;
            }
            int text = at;
            while (at < to && !isSpace(value, at, to)) {
                at++;
            }
            if (at > text) {
                if (!isFirst && hasBlank(value, blank, text)) {
                    octets.put((byte) ' ');
                }
                octets.put(value, text, at - text);
                isFirst = false;
            }
        }
    }

    /** Whether an octet is a blank or part of a line end. */
    private static boolean isSpace(byte[] value, int at, int to) {
        byte octet = value[at];
        return octet == ' '
                || octet == '\t'
                || octet == '\n'
                || (octet == '\r' && at + 1 < to && value[at + 1] == '\n');
    }

    private static boolean hasBlank(byte[] value, int from, int to) {
        for (int i = from; i < to; i++) {
            if (value[i] == ' ' || value[i] == '\t') {
                return true;
            }
        }
        return false;
    }
}
