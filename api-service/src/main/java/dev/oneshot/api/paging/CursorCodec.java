package dev.oneshot.api.paging;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.contracts.signing.SigningKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cursors: microseconds and id of a {@link Position}, and an HMAC-SHA-256, cut to 16 bytes, over them and over what the list was
 * made with. The cursor does not contain account and filters, so that it is short; they are signed, so that it is valid for no
 * other list.
 *
 * <p>Safe for use by many threads.
 */
public final class CursorCodec {

    private static final Pattern CURSOR = Pattern.compile("(([0-9]{1,18})\\.([A-Za-z0-9-]+))\\.([A-Za-z0-9_-]+)");
    private static final int SIGNATURE_BYTES = 16;
    private static final byte[] PURPOSE = "oneshot list cursor\0".getBytes(StandardCharsets.US_ASCII);

    private final List<SigningKey> keys;

    /**
     * A codec for these secrets.
     *
     * @param secrets the first signs, all verify; never empty
     */
    public CursorCodec(List<SigningKey> secrets) {
        this.keys = secrets.stream().map(secret -> secret.derived(PURPOSE)).toList();
    }

    /**
     * Writes a cursor.
     *
     * @param position its id has only letters and digits of US-ASCII, and hyphens
     * @param scope everything the list was made with, in an unambiguous writing
     */
    public String encode(Position position, String scope) {
        String payload = ChronoUnit.MICROS.between(Instant.EPOCH, position.createdAt()) + "." + position.id();
        return payload + "." + signature(keys.getFirst(), payload, scope);
    }

    /**
     * Reads a cursor.
     *
     * @throws ApiException 400 if it was not written by {@link #encode} for the same scope
     */
    public Position decode(String cursor, String scope) {
        Matcher parts = CURSOR.matcher(cursor);
        if (!parts.matches() || keys.stream().noneMatch(key -> isSigned(parts, key, scope))) {
            throw ApiException.invalid("cursor must be a next_cursor of a list with the same filters");
        }
        Instant createdAt = Instant.EPOCH.plus(Long.parseLong(parts.group(2)), ChronoUnit.MICROS);
        return new Position(createdAt, parts.group(3));
    }

    private static boolean isSigned(Matcher parts, SigningKey key, String scope) {
        String expected = signature(key, parts.group(1), scope);
        return MessageDigest.isEqual(
                expected.getBytes(StandardCharsets.US_ASCII), parts.group(4).getBytes(StandardCharsets.US_ASCII));
    }

    private static String signature(SigningKey key, String payload, String scope) {
        // Without this line end, which no payload has, characters could move from the payload to the scope.
        byte[] signature =
                key.sign((payload + "\n").getBytes(StandardCharsets.US_ASCII), scope.getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(signature, SIGNATURE_BYTES));
    }
}
