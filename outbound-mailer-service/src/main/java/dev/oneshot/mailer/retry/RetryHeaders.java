package dev.oneshot.mailer.retry;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** What a request that waits for its next try carries besides itself, as record headers in decimal. */
public final class RetryHeaders {

    private static final String ATTEMPTS = "oneshot-attempts";
    private static final String NOT_BEFORE = "oneshot-not-before";

    private RetryHeaders() {}

    /** Sets both. */
    public static void set(Headers headers, int attempts, Instant notBefore) {
        headers.remove(ATTEMPTS).remove(NOT_BEFORE);
        headers.add(ATTEMPTS, decimal(attempts)).add(NOT_BEFORE, decimal(notBefore.toEpochMilli()));
    }

    /** How often the relay has been tried; 0 if there is no such header, or nonsense in it. */
    public static int attempts(Headers headers) {
        return Math.clamp(number(headers, ATTEMPTS), 0, Integer.MAX_VALUE - 1);
    }

    /** When the next try is due; long ago if there is no such header, or nonsense in it. */
    public static Instant notBefore(Headers headers) {
        return Instant.ofEpochMilli(number(headers, NOT_BEFORE));
    }

    private static byte[] decimal(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    private static long number(Headers headers, String name) {
        @Nullable Header header = headers.lastHeader(name);
        if (header == null || header.value() == null) {
            return 0;
        }
        String text = new String(header.value(), StandardCharsets.US_ASCII);
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }
}
