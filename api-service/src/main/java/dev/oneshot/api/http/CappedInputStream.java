package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts while reading, as a declared length is only a hint, and refuses with 413 beyond the cap. */
final class CappedInputStream extends FilterInputStream {

    private final long bytesMax;
    private long bytes;

    CappedInputStream(InputStream in, long bytesMax) {
        super(in);
        this.bytesMax = bytesMax;
    }

    @Override
    public int read() throws IOException {
        int octet = in.read();
        if (octet >= 0) {
            count(1);
        }
        return octet;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = in.read(buffer, offset, length);
        if (read > 0) {
            count(read);
        }
        return read;
    }

    @Override
    public long skip(long count) throws IOException {
        long skipped = in.skip(count);
        count(skipped);
        return skipped;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void count(long read) {
        bytes += read;
        if (bytes > bytesMax) {
            throw new ApiException(ApiError.payloadTooLarge(bytesMax));
        }
    }
}
