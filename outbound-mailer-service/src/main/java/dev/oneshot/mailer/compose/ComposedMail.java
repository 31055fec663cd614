package dev.oneshot.mailer.compose;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * A message with its envelope.
 *
 * @param reversePath the argument of MAIL, without brackets
 * @param forwardPath the argument of RCPT, without brackets; its domain in A-labels
 * @param eightBit whether the body has bytes above 127, and needs a relay with 8BITMIME (RFC 6152)
 * @param fields the fields of the header, folded, each without its last CRLF
 * @param body the body
 */
public record ComposedMail(String reversePath, String forwardPath, boolean eightBit, List<String> fields, MimeBody body)
        implements SmtpMail {

    /** Writes header, empty line and body. */
    @Override
    public void writeTo(OutputStream to) throws IOException {
        for (String field : fields) {
            to.write(field.getBytes(StandardCharsets.UTF_8));
            to.write(CRLF);
        }
        to.write(CRLF);
        body.writeTo(to);
    }

    /** This mail with a field added on top. */
    public ComposedMail withFirst(String field) {
        return new ComposedMail(
                reversePath,
                forwardPath,
                eightBit,
                Stream.concat(Stream.of(field), fields.stream()).toList(),
                body);
    }

    private static final byte[] CRLF = {'\r', '\n'};
}
