package dev.oneshot.contracts.signing;

import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret that signs with HMAC-SHA-256 (RFC 2104).
 *
 * <p>Keys rotate as a list: the first signs, all verify. Safe for use by many threads.
 */
public final class SigningKey {

    /** The shortest secret in bytes: the output length of SHA-256 (RFC 2104 §3). */
    public static final int SECRET_BYTES_MIN = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final Mac prototype;

    private SigningKey(byte[] secret) {
        try {
            this.prototype = Mac.getInstance(ALGORITHM);
            prototype.init(new SecretKeySpec(secret, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + ALGORITHM, e);
        }
    }

    /**
     * The key of a configured secret.
     *
     * @param base64 the secret in base64 (RFC 4648 §4), at least 32 bytes
     * @throws IllegalArgumentException if it is not base64 or too short; the message never contains the secret
     */
    public static SigningKey ofBase64(String base64) {
        byte[] secret;
        try {
            secret = Base64.getDecoder().decode(base64.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("a signing key must be base64", e);
        }
        if (secret.length < SECRET_BYTES_MIN) {
            throw new IllegalArgumentException(
                    "a signing key must have at least " + SECRET_BYTES_MIN + " bytes, not " + secret.length);
        }
        return new SigningKey(secret);
    }

    /**
     * The keys of a configured list; the first signs.
     *
     * @throws IllegalArgumentException if the list is empty or one of them is not a key
     */
    public static List<SigningKey> listOfBase64(List<String> base64) {
        if (base64.isEmpty()) {
            throw new IllegalArgumentException("at least one signing key is needed");
        }
        return base64.stream().map(SigningKey::ofBase64).toList();
    }

    /**
     * The signature of a text.
     *
     * @param purpose keeps a signature for one purpose from being valid for another
     * @return 32 bytes
     */
    public byte[] sign(byte[] purpose, byte[] text) {
        try {
            Mac mac = (Mac) prototype.clone();
            mac.update(purpose);
            return mac.doFinal(text);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the HMAC of this Java cannot be cloned", e);
        }
    }

    /** Another key, for one purpose only. */
    public SigningKey derived(byte[] purpose) {
        return new SigningKey(sign(purpose, new byte[0]));
    }

    @Override
    public String toString() {
        return "SigningKey[…]";
    }
}
