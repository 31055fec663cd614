package dev.oneshot.message;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** Reads through an {@link OctetDecoder} with two fixed buffers. */
final class DecodingInputStream extends InputStream {

    private static final int BUFFER = 8 * 1024;

    private final InputStream encoded;
    private final OctetDecoder decoder;
    private final byte[] in = new byte[BUFFER];
    private final byte[] out;
    private int at;
    private int available;
    private boolean ended;

    DecodingInputStream(InputStream encoded, OctetDecoder decoder) {
        this.encoded = encoded;
        this.decoder = decoder;
        this.out = new byte[decoder.outputMax(BUFFER)];
    }

    @Override
    public int read() throws IOException {
        return fill() ? out[at++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, available - at);
        System.arraycopy(out, at, into, offset, count);
        at += count;
        return count;
    }

    private boolean fill() throws IOException {
        while (at == available && !ended) {
            int read = encoded.read(in, 0, in.length);
            at = 0;
            if (read < 0) {
                ended = true;
                available = decoder.finish(out, 0);
            } else {
                available = decoder.decode(in, 0, read, out, 0);
            }
        }
        return at < available;
    }

    @Override
    public void close() throws IOException {
        encoded.close();
    }
}
