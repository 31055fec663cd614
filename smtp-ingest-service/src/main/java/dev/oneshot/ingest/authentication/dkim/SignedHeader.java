package dev.oneshot.ingest.authentication.dkim;

import dev.oneshot.ingest.authentication.dkim.Algorithm.Octets;
import dev.oneshot.ingest.authentication.dkim.HeaderSection.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The octets of a header section that a signature is of (RFC 6376 §3.4.1, §3.4.2, §3.7). */
final class SignedHeader {

    private static final byte[] LINE_END = {'\r', '\n'};
    private static final byte[] BLANK = {' '};

    private final byte[] octets;
    private final boolean relaxed;
    private final Octets into;

    private SignedHeader(byte[] octets, boolean relaxed, Octets into) {
        this.octets = octets;
        this.relaxed = relaxed;
        this.into = into;
    }

    /** Writes the fields that are named, each name from the bottom up, then the signature's own without its value. */
    static void write(HeaderSection header, Field own, List<String> signed, boolean relaxed, Octets into) {
        SignedHeader writer = new SignedHeader(header.octets(), relaxed, into);
        Map<String, Deque<Field>> byName = new HashMap<>();
        for (Field field : header.fields()) {
            // Only other signatures can be among the signed fields.
            if (!field.equals(own)) {
                byName.computeIfAbsent(field.name(), _ -> new ArrayDeque<>()).push(field);
            }
        }
        for (String name : signed) {
            Field field = byName.getOrDefault(name, new ArrayDeque<>()).poll();
            if (field != null) {
                writer.field(field, field.end(), field.end());
                into.update(LINE_END, 0, LINE_END.length);
            }
        }
        int value = writer.signatureValue(own);
        int valueEnd = value;
        while (valueEnd < own.end() && header.octets()[valueEnd] != ';') {
            valueEnd++;
        }
        writer.field(own, value, valueEnd);
    }

    /** Writes a field without its line end, and without the octets in between. */
    private void field(Field field, int gap, int gapEnd) {
        int end = field.end();
        end -= end > field.start() && octets[end - 1] == '\n' ? 1 : 0;
        end -= end > field.start() && octets[end - 1] == '\r' ? 1 : 0;
        int from = field.start();
        if (relaxed) {
            byte[] name = (field.name() + ':').getBytes(StandardCharsets.ISO_8859_1);
            into.update(name, 0, name.length);
            from = field.value();
        }
        boolean[] begun = {false};
        boolean blank = write(from, Math.min(gap, end), begun, false);
        write(Math.min(gapEnd, end), end, begun, blank);
    }

    /** Writes octets; returns whether a blank is pending, which is written only before another octet. */
    private boolean write(int from, int to, boolean[] begun, boolean pending) {
        if (!relaxed) {
            into.update(octets, from, Math.max(0, to - from));
            return false;
        }
        boolean blank = pending;
        int run = from;
        for (int i = from; i < to; i++) {
            boolean lineEnd =
                    octets[i] == '\n' || (octets[i] == '\r' && i + 1 < octets.length && octets[i + 1] == '\n');
            boolean white = octets[i] == ' ' || octets[i] == '\t';
            if (lineEnd || white) {
                into.update(octets, run, i - run);
                run = i + 1;
                blank |= white;
            } else {
                if (blank && begun[0]) {
                    into.update(BLANK, 0, 1);
                }
                blank = false;
                begun[0] = true;
            }
        }
        into.update(octets, run, Math.max(0, to - run));
        return blank;
    }

    /** Where the value of {@code b=} begins. */
    private int signatureValue(Field own) {
        int tag = own.value();
        while (tag < own.end()) {
            int at = tag;
            while (at < own.end() && octets[at] <= ' ' && octets[at] >= 0) {
                at++;
            }
            int equals = at + 1;
            while (equals < own.end() && octets[equals] <= ' ' && octets[equals] >= 0) {
                equals++;
            }
            if (equals < own.end() && octets[at] == 'b' && octets[equals] == '=') {
                return equals + 1;
            }
            while (tag < own.end() && octets[tag] != ';') {
                tag++;
            }
            tag++;
        }
        return own.end();
    }
}
