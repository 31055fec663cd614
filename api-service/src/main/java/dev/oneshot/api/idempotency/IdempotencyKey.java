package dev.oneshot.api.idempotency;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.BodyDigest;
import io.vertx.ext.web.RoutingContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A client's name for a request.
 *
 * @param accountId the account, as keys of two accounts are different
 * @param text 1 to {@value #LENGTH_MAX} visible ASCII characters
 * @param requestSha256 of method, path and body, in hexadecimal: two requests are the same if it is
 */
record IdempotencyKey(UUID accountId, String text, String requestSha256) {

    static final String HEADER = "Idempotency-Key";
    static final int LENGTH_MAX = 255;
    private static final Pattern TEXT = Pattern.compile("[!-~]{1," + LENGTH_MAX + "}");

    /**
     * Reads the header field, once the body has been read; empty if there is none.
     *
     * @throws ApiException 400 if it is given more than once or malformed
     */
    static Optional<IdempotencyKey> of(UUID accountId, RoutingContext request) {
        List<String> fields = request.request().headers().getAll(HEADER);
        if (fields.isEmpty()) {
            return Optional.empty();
        }
        String text = fields.getFirst();
        if (fields.size() != 1 || !TEXT.matcher(text).matches()) {
            throw ApiException.invalid(
                    HEADER + " must be given once and have between 1 and " + LENGTH_MAX + " visible ASCII characters");
        }
        return Optional.of(new IdempotencyKey(accountId, text, digest(request)));
    }

    /** The number of its lock in PostgreSQL. */
    long lock() {
        MessageDigest sha256 = BodyDigest.sha256();
        sha256.update(accountId.toString().getBytes(StandardCharsets.US_ASCII));
        return ByteBuffer.wrap(sha256.digest(text.getBytes(StandardCharsets.US_ASCII)))
                .getLong();
    }

    private static String digest(RoutingContext request) {
        MessageDigest sha256 = BodyDigest.sha256();
        String line =
                request.request().method().name() + ' ' + request.request().path() + '\n';
        sha256.update(line.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(sha256.digest(BodyDigest.of(request)));
    }
}
