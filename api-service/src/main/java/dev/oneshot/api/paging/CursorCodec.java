package dev.oneshot.api.paging;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.paging.Page.Position;
import dev.oneshot.contracts.signing.SigningKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Cursors: a {@link Position} with HMAC-SHA-256, cut to 16 bytes, over it and over what the list was made with, in
 * unpadded base64url. What the list was made with (account, filters) is signed but not contained, so that a cursor is
 * short and valid for no other list.
 *
 * <p>Safe for use by many threads.
 */
public final class CursorCodec {

    private static final byte VERSION = 1;
    private static final int FIXED_BYTES = 1 + Long.BYTES;
    private static final int SIGNATURE_BYTES = 16;
    private static final int ID_BYTES_MAX = 64;
    private static final int LENGTH_MAX = (FIXED_BYTES + ID_BYTES_MAX + SIGNATURE_BYTES) * 4 / 3 + 1;
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
     * @param position its id has at most {@value #ID_BYTES_MAX} bytes of US-ASCII
     * @param scope everything the list was made with, in an unambiguous writing
     */
    public String encode(Position position, String scope) {
        byte[] id = position.id().getBytes(StandardCharsets.US_ASCII);
        if (id.length > ID_BYTES_MAX) {
            throw new IllegalArgumentException("a cursor carries ids of at most " + ID_BYTES_MAX + " bytes");
        }
        byte[] payload = ByteBuffer.allocate(FIXED_BYTES + id.length)
                .put(VERSION)
                .putLong(ChronoUnit.MICROS.between(Instant.EPOCH, position.createdAt()))
                .put(id)
                .array();
        byte[] whole = Arrays.copyOf(payload, payload.length + SIGNATURE_BYTES);
        System.arraycopy(sign(keys.getFirst(), payload, scope), 0, whole, payload.length, SIGNATURE_BYTES);
        return text(whole);
    }

    /**
     * Reads a cursor.
     *
     * @throws ApiException 400 if it was not written by {@link #encode} for the same scope
     */
    public Position decode(String cursor, String scope) {
        byte[] whole = bytes(cursor);
        if (whole.length <= FIXED_BYTES + SIGNATURE_BYTES || !text(whole).equals(cursor)) {
            throw refused();
        }
        byte[] payload = Arrays.copyOf(whole, whole.length - SIGNATURE_BYTES);
        byte[] signature = Arrays.copyOfRange(whole, payload.length, whole.length);
        if (keys.stream().noneMatch(key -> MessageDigest.isEqual(signature, sign(key, payload, scope)))) {
            throw refused();
        }
        ByteBuffer fields = ByteBuffer.wrap(payload);
        if (fields.get() != VERSION) {
            throw refused();
        }
        Instant createdAt = Instant.EPOCH.plus(fields.getLong(), ChronoUnit.MICROS);
        return new Position(createdAt, StandardCharsets.US_ASCII.decode(fields).toString());
    }

    private static byte[] bytes(String cursor) {
        if (cursor.length() > LENGTH_MAX) {
            throw refused();
        }
        try {
            return Base64.getUrlDecoder().decode(cursor);
        } catch (IllegalArgumentException e) {
            throw refused();
        }
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static byte[] sign(SigningKey key, byte[] payload, String scope) {
        // The length in front keeps a byte from being moved between payload and scope.
        byte[] framed = ByteBuffer.allocate(1 + payload.length)
                .put((byte) payload.length)
                .put(payload)
                .array();
        return Arrays.copyOf(key.sign(framed, scope.getBytes(StandardCharsets.UTF_8)), SIGNATURE_BYTES);
    }

    private static ApiException refused() {
        return ApiException.invalid("cursor must be a next_cursor of a list with the same filters");
    }
}
