package dev.oneshot.mailer.compose;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * A message, or a part of one (RFC 2045 §2.4).
 *
 * @param fields of its header, folded, each without its last CRLF
 * @param eightBit whether the body has bytes above 127, and needs a relay with 8BITMIME (RFC 6152)
 * @param body the body
 */
public record MimeEntity(List<String> fields, boolean eightBit, MimeBody body) {

    /** Writes header, empty line and body. */
    void writeTo(OutputStream to) throws IOException {
        String header = String.join("\r\n", fields) + "\r\n\r\n";
        to.write(header.getBytes(StandardCharsets.UTF_8));
        body.writeTo(to);
    }

    /** This entity with a field added on top. */
    public MimeEntity withFirst(String field) {
        return new MimeEntity(Stream.concat(Stream.of(field), fields.stream()).toList(), eightBit, body);
    }
}
