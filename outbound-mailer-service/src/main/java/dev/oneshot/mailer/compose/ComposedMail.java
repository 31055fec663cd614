package dev.oneshot.mailer.compose;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message with its envelope.
 *
 * @param reversePath the argument of MAIL, without brackets
 * @param forwardPath the argument of RCPT, without brackets; its domain in A-labels
 * @param internationalized whether the relay has to know SMTPUTF8 (RFC 6531) to take it
 * @param eightBit whether the body has 8-bit octets, which only a relay with 8BITMIME (RFC 6152) takes
 * @param fields the fields of the header, folded, each without its last CRLF
 * @param body the body
 * @param sevenBit the same mail for a relay without 8BITMIME; null unless there is need of one
 */
public record ComposedMail(
        String reversePath,
        String forwardPath,
        boolean internationalized,
        boolean eightBit,
        List<String> fields,
        MimeBody body,
        @Nullable ComposedMail sevenBit) {

    /** Writes header, empty line and body. */
    public void writeTo(OutputStream to) throws IOException {
        for (String field : fields) {
            to.write(field.getBytes(StandardCharsets.UTF_8));
            to.write(CRLF);
        }
        to.write(CRLF);
        body.writeTo(to);
    }

    /** This mail with another field above all others. */
    public ComposedMail withFirst(String field) {
        return new ComposedMail(
                reversePath,
                forwardPath,
                internationalized,
                eightBit,
                Stream.concat(Stream.of(field), fields.stream()).toList(),
                body,
                sevenBit);
    }

    /** This mail with another form for a relay without 8BITMIME. */
    public ComposedMail withSevenBit(ComposedMail other) {
        return new ComposedMail(reversePath, forwardPath, internationalized, eightBit, fields, body, other);
    }

    private static final byte[] CRLF = {'\r', '\n'};
}
