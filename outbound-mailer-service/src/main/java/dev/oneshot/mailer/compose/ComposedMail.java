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
 * @param eightBit whether the body has bytes above 127, and needs a relay with 8BITMIME (RFC 6152)
 * @param fields the fields of the header, folded, each without its last CRLF
 * @param body the body
 * @param sevenBit the same mail for a relay without 8BITMIME; null if none is needed
 */
public record ComposedMail(
        String reversePath,
        String forwardPath,
        boolean eightBit,
        List<String> fields,
        MimeBody body,
        @Nullable ComposedMail sevenBit)
        implements SmtpMail {

    @Override
    public boolean internationalized() {
        return !StandardCharsets.US_ASCII.newEncoder().canEncode(forwardPath);
    }

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
                body,
                sevenBit);
    }

    /** This mail with another form for a relay without 8BITMIME. */
    public ComposedMail withSevenBit(ComposedMail other) {
        return new ComposedMail(reversePath, forwardPath, eightBit, fields, body, other);
    }

    private static final byte[] CRLF = {'\r', '\n'};
}
