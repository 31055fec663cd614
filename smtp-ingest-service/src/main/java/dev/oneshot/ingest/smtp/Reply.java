package dev.oneshot.ingest.smtp;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A reply (RFC 5321 §4.2), with its enhanced status code (RFC 2034, RFC 3463).
 *
 * @param code three digits
 * @param status the enhanced status code; empty where RFC 2034 §4 has none
 * @param lines the texts, at least one
 * @param closes whether the session ends after it
 */
public record Reply(int code, String status, List<String> lines, boolean closes) {

    private static final int TRANSIENT = 400;
    private static final int PERMANENT = 500;

    public Reply {
        lines = List.copyOf(lines);
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("a reply has at least one line");
        }
    }

    public static Reply of(int code, String status, String text) {
        return new Reply(code, status, List.of(text), false);
    }

    public static Reply closing(int code, String status, String text) {
        return new Reply(code, status, List.of(text), true);
    }

    /** Whether it is a 4xx or 5xx. */
    public boolean isRefusal() {
        return code >= TRANSIENT;
    }

    /** Whether it is a 5xx: an error of the client, not a lack of resources. */
    public boolean isError() {
        return code >= PERMANENT;
    }

    public byte[] octets() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            text.append(code).append(i == lines.size() - 1 ? ' ' : '-');
            if (!status.isEmpty()) {
                text.append(status).append(' ');
            }
            text.append(lines.get(i)).append("\r\n");
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
