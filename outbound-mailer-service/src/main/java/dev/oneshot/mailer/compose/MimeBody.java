package dev.oneshot.mailer.compose;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Base64;

/** The body of an entity. It can be written several times, so the encoded form is never in memory. */
@FunctionalInterface
public interface MimeBody {

    /**
     * Writes lines of at most 998 bytes with CRLF between them, not dot-stuffed. The last line may have no CRLF. Does
     * not close {@code to}.
     */
    void writeTo(OutputStream to) throws IOException;

    /** This body in base64 (RFC 2045 §6.8). */
    default MimeBody inBase64() {
        return to -> {
            OutputStream open = new BufferedOutputStream(to) {
                @Override
                public void close() throws IOException {
                    flush();
                }
            };
            // Only closing the encoder writes its last characters.
            try (OutputStream base64 = Base64.getMimeEncoder().wrap(open)) {
                writeTo(base64);
            }
        };
    }
}
