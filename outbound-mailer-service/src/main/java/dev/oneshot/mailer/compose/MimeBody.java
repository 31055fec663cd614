package dev.oneshot.mailer.compose;

import java.io.IOException;
import java.io.OutputStream;

/** The body of an entity. It can be written several times, so the encoded form is never in memory. */
@FunctionalInterface
public interface MimeBody {

    /**
     * Writes lines of at most 998 bytes with CRLF between them, not dot-stuffed. The last line may have no CRLF. Does
     * not close {@code to}.
     */
    void writeTo(OutputStream to) throws IOException;
}
