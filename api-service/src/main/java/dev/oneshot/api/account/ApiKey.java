package dev.oneshot.api.account;

import dev.oneshot.contracts.signing.SigningKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * An API key: {@code oneshot_}, 40 random characters of {@code 0-9A-Za-z}, which are 238 bits, and 16 that sign them: each
 * is a byte of HMAC-SHA-256 over all that stands before, modulo 62. So a guess is recognized without a look-up. Keys
 * of earlier versions have no signature. Secret scanners find a key by its prefix.
 *
 * <p>A key is shown once; only {@link #sha256()} is kept. As a key is random, a plain hash suffices.
 */
public final class ApiKey {

    private static final String PREFIX = "oneshot_";
    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int RANDOM_LENGTH = 40;
    private static final int SIGNATURE_LENGTH = 16;
    private static final int UNSIGNED_LENGTH = PREFIX.length() + RANDOM_LENGTH;
    private static final byte[] PURPOSE = "oneshot API key\0".getBytes(StandardCharsets.US_ASCII);

    private final String text;
    private final Hash sha256;

    private ApiKey(String text) {
        this.text = text;
        this.sha256 = Hash.of(text);
    }

    /** Makes a new key, signed with this one. */
    public static ApiKey generate(RandomGenerator random, SigningKey key) {
        StringBuilder text = new StringBuilder(PREFIX);
        for (int i = 0; i < RANDOM_LENGTH; i++) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return new ApiKey(text + signature(text.toString(), key));
    }

    /** Reads a client's key; empty unless it is signed with one of these keys, or looks like an unsigned one. */
    public static Optional<ApiKey> verify(String text, List<SigningKey> keys) {
        boolean isPossible = text.startsWith(PREFIX)
                && isOfTheAlphabet(text, PREFIX.length())
                && (text.length() == UNSIGNED_LENGTH
                        || (text.length() == UNSIGNED_LENGTH + SIGNATURE_LENGTH && isSigned(text, keys)));
        return isPossible ? Optional.of(new ApiKey(text)) : Optional.empty();
    }

    private static boolean isSigned(String text, List<SigningKey> keys) {
        String signed = text.substring(0, UNSIGNED_LENGTH);
        byte[] signature = text.substring(UNSIGNED_LENGTH).getBytes(StandardCharsets.US_ASCII);
        for (SigningKey key : keys) {
            if (MessageDigest.isEqual(signature, signature(signed, key).getBytes(StandardCharsets.US_ASCII))) {
                return true;
            }
        }
        return false;
    }

    private static String signature(String signed, SigningKey key) {
        byte[] bytes = key.sign(PURPOSE, signed.getBytes(StandardCharsets.US_ASCII));
        StringBuilder signature = new StringBuilder(SIGNATURE_LENGTH);
        for (int i = 0; i < SIGNATURE_LENGTH; i++) {
            signature.append(ALPHABET.charAt(Byte.toUnsignedInt(bytes[i]) % ALPHABET.length()));
        }
        return signature.toString();
    }

    /** A loop, as it runs for every request. */
    private static boolean isOfTheAlphabet(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            if (ALPHABET.indexOf(text.charAt(i)) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether the key was verified by its signature. If so, only this service can have issued it. */
    public boolean isSigned() {
        return text.length() > UNSIGNED_LENGTH;
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

    /** The SHA-256 of a key, 32 bytes. */
    public static final class Hash {

        private final byte[] bytes;

        private Hash(byte[] bytes) {
            this.bytes = bytes;
        }

        private static Hash of(String text) {
            try {
                return new Hash(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII)));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("this Java has no SHA-256", e);
            }
        }

        /** A copy of the bytes. */
        public byte[] bytes() {
            return bytes.clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Hash that && MessageDigest.isEqual(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }
}
