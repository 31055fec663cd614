package dev.oneshot.mailer.relay;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Doubles the dot at the beginning of a line (RFC 5321 §4.5.2). */
final class DotStuffing extends FilterOutputStream {

    private boolean lineStart = true;

    DotStuffing(OutputStream to) {
        super(to);
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
        int from = offset;
        for (int i = offset; i < offset + length; i++) {
            if (lineStart && octets[i] == '.') {
                out.write(octets, from, i - from);
                out.write('.');
                from = i;
            }
            lineStart = octets[i] == '\n';
        }
        out.write(octets, from, offset + length - from);
    }

    /** Writes the end of the data. */
    void finish() throws IOException {
        out.write((lineStart ? ".\r\n" : "\r\n.\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }
}
