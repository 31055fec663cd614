package dev.oneshot.api.body;

import dev.oneshot.api.error.ApiException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Rejects malformed UTF-8 with 400: overlong forms, surrogates, code points above U+10FFFF, stray and missing continuation bytes (RFC
 * 3629 §4). Jackson would decode some of these to other characters.
 */
final class StrictUtf8 extends FilterInputStream {

    /** How many continuation bytes are missing. */
    private int missing;

    /** The range of the next continuation byte. */
    private int min;

    private int max;

    StrictUtf8(InputStream in) {
        super(in);
    }

    @Override
    public int read() throws IOException {
        int next = in.read();
        if (next < 0) {
            requireComplete();
        } else {
            check(next);
        }
        return next;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = in.read(buffer, offset, length);
        if (read < 0) {
            requireComplete();
        }
        for (int i = offset; i < offset + read; i++) {
            if (buffer[i] < 0 || missing > 0) {
                check(buffer[i] & 0xFF);
            }
        }
        return read;
    }

    private void requireComplete() {
        if (missing > 0) {
            throw malformed();
        }
    }

    private void check(int octet) {
        if (missing == 0) {
            if (octet >= 0x80) {
                begin(octet);
            }
        } else if (octet < min || octet > max) {
            throw malformed();
        } else {
            missing--;
            min = 0x80;
            max = 0xBF;
        }
    }

    private void begin(int octet) {
        if (octet < 0xC2 || octet > 0xF4) {
            throw malformed();
        }
        missing = octet < 0xE0 ? 1 : octet < 0xF0 ? 2 : 3;
        // E0 and F0 could begin overlong forms, ED surrogates, and F4 code points above U+10FFFF.
        min = octet == 0xE0 ? 0xA0 : octet == 0xF0 ? 0x90 : 0x80;
        max = octet == 0xED ? 0x9F : octet == 0xF4 ? 0x8F : 0xBF;
    }

    private static ApiException malformed() {
        return ApiException.invalid("the body must be JSON in UTF-8");
    }
}
