package dev.oneshot.contracts.address;

import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * A secret that signs address ids, shared by api-service and every ingest node.
 *
 * <p>Keys rotate as a list: the first signs, all verify. Drop an old key once the longest lifetime has passed.
 */
public final class AddressKey {

    /** The shortest secret accepted, in octets: the output length of SHA-256 (RFC 2104 §3). */
    public static final int SECRET_BYTES_MIN = 32;

    private final byte[] secret;

    private AddressKey(byte[] secret) {
        this.secret = secret;
    }

    /**
     * The key of a configured secret.
     *
     * @param base64 the secret in base64 (RFC 4648 §4), at least 32 octets
     * @throws IllegalArgumentException if it is not base64 or too short; the message never contains the secret
     */
    public static AddressKey ofBase64(String base64) {
        byte[] secret;
        try {
            secret = Base64.getDecoder().decode(base64.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("an address key must be base64", e);
        }
        if (secret.length < SECRET_BYTES_MIN) {
            throw new IllegalArgumentException(
                    "an address key must have at least " + SECRET_BYTES_MIN + " octets, not " + secret.length);
        }
        return new AddressKey(secret);
    }

    /**
     * The keys of a configured list; the first signs.
     *
     * @throws IllegalArgumentException if the list is empty or one of them is not a key
     */
    public static List<AddressKey> listOfBase64(List<String> base64) {
        if (base64.isEmpty()) {
            throw new IllegalArgumentException("at least one address key is needed");
        }
        return base64.stream().map(AddressKey::ofBase64).toList();
    }

    byte[] secret() {
        return secret.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressKey that && Arrays.equals(secret, that.secret);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(secret);
    }

    @Override
    public String toString() {
        return "AddressKey[…]";
    }
}
