package dev.oneshot.ingest.transcript;

import dev.oneshot.testing.Law;
import java.nio.charset.StandardCharsets;

/**
 * The shortest implementation of the DATA phase (RFC 5321 §4.1.1.4 and §4.5.2), to compare the session with: it has all
 * octets in advance and searches them. The session receives its octets one by one.
 */
final class DataReference {

    private static final String END = "\r\n.\r\n";
    private static final String LINE_END = "\r\n";
    private static final int NONE = -1;

    private final String octets;
    private int dataStart = NONE;

    DataReference(byte[] octets) {
        this.octets = new String(octets, StandardCharsets.ISO_8859_1);
    }

    /** The session sent these replies, possibly none, after {@code at} octets. */
    void replied(String replies, int at, boolean closes) {
        if (replies.isEmpty()) {
            return;
        }
        if (dataStart != NONE && !closes) {
            endsAt(at);
        }
        dataStart = replies.startsWith("354") ? at : NONE;
    }

    /** The session delivered a message after {@code at} octets. */
    void delivered(String content, int at) {
        if (dataStart == NONE) {
            return; // BDAT chunks are counted, not searched.
        }
        endsAt(at);
        String stuffed = LINE_END + octets.substring(dataStart, at - ".\r\n".length());
        String expected = TraceCheck.apart(stuffed.replace("\r\n.", LINE_END).substring(LINE_END.length()));
        Law.requires(
                content.equals(expected)
                        || TraceCheck.withoutResults(content).equals(TraceCheck.withoutResults(expected)),
                () -> "delivered:\n" + content + "\nsent:\n" + expected);
        dataStart = NONE;
    }

    private void endsAt(int at) {
        int from = dataStart;
        int found = (LINE_END + octets.substring(from)).indexOf(END);
        int end = from + found + END.length() - LINE_END.length();
        Law.requires(found >= 0 && end == at, () -> "data from " + from + " ended at " + at + ", not at " + end);
    }
}
