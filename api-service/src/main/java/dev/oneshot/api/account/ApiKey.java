package dev.oneshot.api.account;

import dev.oneshot.api.body.BodyDigest;
import dev.oneshot.contracts.signing.SigningKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * An API key: {@code oneshot_}, 40 random characters of {@code 0-9A-Za-z}, which are 238 bits, and 16 that sign them: each
 * is a byte of HMAC-SHA-256 over all characters before them, modulo 62. So a guess is recognized without a look-up.
 * Secret scanners find a key by its prefix.
 *
 * <p>A key is shown once; only {@link #sha256()} is kept. As a key is random, a plain hash suffices.
 */
public final class ApiKey {

    private static final String PREFIX = "oneshot_";
    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int RANDOM_LENGTH = 40;
    private static final int SIGNATURE_LENGTH = 16;
    private static final int SIGNED_LENGTH = PREFIX.length() + RANDOM_LENGTH;
    private static final byte[] PURPOSE = "oneshot API key\0".getBytes(StandardCharsets.UTF_8);

    private static final byte[] SUCCESSOR = "oneshot API key successor\0".getBytes(StandardCharsets.UTF_8);

    private final String text;
    private final Hash sha256;

    private ApiKey(String text) {
        this.text = text;
        this.sha256 = new Hash(HexFormat.of().formatHex(BodyDigest.sha256().digest(bytes(text))));
    }

    /** The SHA-256 of a key, in hexadecimal. */
    public record Hash(String hex) {

        byte[] bytes() {
            return HexFormat.of().parseHex(hex);
        }
    }

    /** Makes a new key, signed with this one. */
    public static ApiKey generate(RandomGenerator random, SigningKey key) {
        StringBuilder text = new StringBuilder(PREFIX);
        for (int i = 0; i < RANDOM_LENGTH; i++) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return new ApiKey(text + signature(text.toString(), key));
    }

    /**
     * The key that replaces this one in a request with an {@code Idempotency-Key}: the same each time, and unknown without both keys
     * and the secret.
     */
    ApiKey successor(String idempotencyKey, SigningKey key) {
        StringBuilder next = new StringBuilder(PREFIX);
        // A signature has fewer bytes than a key has characters.
        for (int half = 0; half < 2; half++) {
            append(key.sign(SUCCESSOR, bytes(text + ' ' + idempotencyKey + ' ' + half)), RANDOM_LENGTH / 2, next);
        }
        return new ApiKey(next + signature(next.toString(), key));
    }

    /** Reads a client's key; empty unless it is signed with one of these keys. Compares in constant time. */
    public static Optional<ApiKey> verify(String text, List<SigningKey> keys) {
        if (text.length() != SIGNED_LENGTH + SIGNATURE_LENGTH) {
            return Optional.empty();
        }
        String signed = text.substring(0, SIGNED_LENGTH);
        byte[] signature = bytes(text.substring(SIGNED_LENGTH));
        return keys.stream().anyMatch(key -> MessageDigest.isEqual(signature, bytes(signature(signed, key))))
                ? Optional.of(new ApiKey(text))
                : Optional.empty();
    }

    private static String signature(String signed, SigningKey key) {
        StringBuilder signature = new StringBuilder(SIGNATURE_LENGTH);
        append(key.sign(PURPOSE, bytes(signed)), SIGNATURE_LENGTH, signature);
        return signature.toString();
    }

    /** Appends a character for each of the first bytes. */
    private static void append(byte[] bytes, int characters, StringBuilder to) {
        for (int i = 0; i < characters; i++) {
            to.append(ALPHABET.charAt(Byte.toUnsignedInt(bytes[i]) % ALPHABET.length()));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The key itself, to be shown once and never logged. */
    public String reveal() {
        return text;
    }

    /** The hash, which is stored. */
    public Hash sha256() {
        return sha256;
    }

    @Override
    public String toString() {
        return PREFIX + "…";
    }
}
