package dev.oneshot.mailer.compose;

import java.io.IOException;
import java.io.OutputStream;

/** What follows the header of a message. Written as often as it is needed, so that it never lies in memory encoded. */
@FunctionalInterface
public interface MimeBody {

    /** Writes the body in lines that end in CRLF and have at most 998 octets, not dot-stuffed. Does not close {@code to}. */
    void writeTo(OutputStream to) throws IOException;
}
