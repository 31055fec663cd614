package dev.oneshot.api.http;

import io.vertx.ext.web.RoutingContext;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The SHA-256 of the body of a request with an {@code Idempotency-Key}, taken while the body is read. */
public final class BodyDigest {

    private static final String UNDER_WAY = BodyDigest.class.getName() + ".underWay";
    private static final String DONE = BodyDigest.class.getName() + ".done";
    private static final String WANTED_WITH = "Idempotency-Key";

    private BodyDigest() {}

    /** The digest, once the body has been read; of no bytes if the request had none. */
    public static byte[] of(RoutingContext request) {
        byte[] done = request.get(DONE);
        if (done == null) {
            MessageDigest digest = request.get(UNDER_WAY);
            done = (digest == null ? sha256() : digest).digest();
            request.put(DONE, done);
        }
        return done.clone();
    }

    /** The body, digested while it is read if the request has an {@code Idempotency-Key}. */
    public static InputStream taken(RoutingContext request, InputStream body) {
        if (!request.request().headers().contains(WANTED_WITH)) {
            return body;
        }
        MessageDigest digest = sha256();
        request.put(UNDER_WAY, digest);
        return new DigestInputStream(body, digest);
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
