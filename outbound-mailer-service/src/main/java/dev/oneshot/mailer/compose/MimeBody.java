package dev.oneshot.mailer.compose;

import java.io.IOException;
import java.io.OutputStream;

/** The body of a message. It can be written several times, so the encoded form is never in memory. */
@FunctionalInterface
public interface MimeBody {

    /** Writes the body in lines that end in CRLF and have at most 998 bytes, not dot-stuffed. Does not close {@code to}. */
    void writeTo(OutputStream to) throws IOException;
}
