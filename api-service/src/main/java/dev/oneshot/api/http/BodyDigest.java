package dev.oneshot.api.http;

import io.vertx.ext.web.RoutingContext;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;

/** The SHA-256 of the body of a request with an {@code Idempotency-Key}, taken while the body is read. */
public final class BodyDigest {

    private static final String KEY = BodyDigest.class.getName();

    private BodyDigest() {}

    /** The digest of the body, which has been read; of no bytes without an {@code Idempotency-Key}. */
    public static byte[] of(RoutingContext request) {
        return Objects.requireNonNull(request.get(KEY), "the body has not been read");
    }

    /** Keeps the digest of a body that has been read. */
    static void put(RoutingContext request, MessageDigest digest) {
        request.put(KEY, digest.digest());
    }

    /** A new SHA-256. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }
}
