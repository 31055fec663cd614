package dev.oneshot.api.idempotency;

import dev.oneshot.api.error.ApiException;
import java.util.List;
import java.util.Optional;

/** The caller's name for one request: 1 to {@value #LENGTH_MAX} visible ASCII characters, taken as they are. */
record IdempotencyKey(String text) {

    static final String HEADER = "Idempotency-Key";
    static final int LENGTH_MAX = 255;

    /**
     * Reads the header, if it was sent.
     *
     * @throws ApiException 400 if it was sent more than once, or is no key
     */
    static Optional<IdempotencyKey> parse(List<String> headers) {
        if (headers.isEmpty()) {
            return Optional.empty();
        }
        String text = headers.getFirst();
        boolean sane = headers.size() == 1
                && !text.isEmpty()
                && text.length() <= LENGTH_MAX
                && text.chars().allMatch(c -> c > ' ' && c < 0x7F);
        if (!sane) {
            throw ApiException.invalid(
                    HEADER + " must be given once and have between 1 and " + LENGTH_MAX + " visible ASCII characters");
        }
        return Optional.of(new IdempotencyKey(text));
    }
}
