package dev.oneshot.endtoend;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/**
 * A mail with a plain text body, the same in HTML, and attachments of random bytes.
 *
 * @param subject ASCII
 * @param text ASCII lines that end with CRLF
 * @param attachments in order
 */
record TestMail(String subject, String text, List<byte[]> attachments) {

    private static final String OUTER = "=_outer";
    private static final String INNER = "=_inner";

    /** A line of base64 with its end, and the bytes that it encodes. */
    private static final int LINE_BYTES = 78;

    private static final int LINE_RANDOM_BYTES = 57;

    static TestMail of(String subject, int... attachmentBytes) {
        List<byte[]> attachments = new ArrayList<>();
        Random random = new Random(subject.hashCode());
        for (int bytes : attachmentBytes) {
            byte[] octets = new byte[bytes];
            random.nextBytes(octets);
            attachments.add(octets);
        }
        return new TestMail(subject, "Dear tester,\r\n.\r\n..and dots\r\nFrom here on\r\n", attachments);
    }

    /** A large message with another header, of lines that begin with no dot. It hardly shrinks when it is compressed. */
    static byte[] large(String header, int bytes) {
        byte[] random = new byte[bytes / LINE_BYTES * LINE_RANDOM_BYTES];
        new Random(bytes).nextBytes(random);
        return (header + "\r\n\r\n" + Base64.getMimeEncoder().encodeToString(random) + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    String html() {
        return "<p>" + text + "</p>\r\n";
    }

    static String filename(int index) {
        return "file " + index + ".bin";
    }

    /** The message as a client sends it, before dot-stuffing. */
    byte[] octets() {
        StringBuilder message = new StringBuilder("From: Ada Lovelace <ada@example.org>\r\nSubject: " + subject
                + "\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"" + OUTER + "\"\r\n\r\n--" + OUTER
                + "\r\nContent-Type: multipart/alternative; boundary=\"" + INNER + "\"\r\n\r\n--" + INNER
                + "\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\n" + text + "\r\n--" + INNER
                + "\r\nContent-Type: text/html; charset=us-ascii\r\n\r\n" + html() + "\r\n--" + INNER + "--\r\n");
        for (int i = 0; i < attachments.size(); i++) {
            String name = "name=\"" + filename(i) + "\"\r\n";
            message.append("--" + OUTER + "\r\nContent-Type: application/x-test; " + name)
                    .append("Content-Disposition: attachment; file" + name)
                    .append("Content-Transfer-Encoding: base64\r\n\r\n")
                    .append(Base64.getMimeEncoder().encodeToString(attachments.get(i)))
                    .append("\r\n");
        }
        message.append("--" + OUTER + "--\r\n");
        return message.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
