package dev.oneshot.api.idempotency;

import dev.oneshot.api.http.BodyDigest;
import io.vertx.ext.web.RoutingContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/**
 * A request that its caller named.
 *
 * @param accountId whose name it is
 * @param key the name
 * @param digest SHA-256 over method, path and the octets of the body, in hexadecimal: what must be the same the next time
 */
record IdempotentRequest(UUID accountId, IdempotencyKey key, String digest) {

    /**
     * Reads a request, once its body has been read; empty if it has no name.
     *
     * @throws dev.oneshot.api.error.ApiException 400 if the name is none
     */
    static Optional<IdempotentRequest> of(UUID accountId, RoutingContext request) {
        return IdempotencyKey.parse(request.request().headers().getAll(IdempotencyKey.HEADER))
                .map(key -> new IdempotentRequest(accountId, key, HexFormat.of().formatHex(digestOf(request))));
    }

    /** What PostgreSQL knows the lock on this name by. */
    long lock() {
        MessageDigest sha256 = sha256();
        sha256.update(accountId.toString().getBytes(StandardCharsets.US_ASCII));
        return ByteBuffer.wrap(sha256.digest(key.text().getBytes(StandardCharsets.US_ASCII)))
                .getLong();
    }

    private static byte[] digestOf(RoutingContext request) {
        MessageDigest sha256 = sha256();
        String line =
                request.request().method().name() + ' ' + request.request().path() + '\n';
        sha256.update(line.getBytes(StandardCharsets.UTF_8));
        return sha256.digest(BodyDigest.of(request));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }
}
