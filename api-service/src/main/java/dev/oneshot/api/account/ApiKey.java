package dev.oneshot.api.account;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * An API key: {@code oneshot_} and 40 characters of {@code 0-9A-Za-z}, which are 238 random bits. The prefix lets
 * secret scanners find it where it should not be. It is shown once; only {@link #sha256()} is kept, and as it is random
 * throughout, a plain hash cannot be searched.
 */
public final class ApiKey {

    private static final String PREFIX = "oneshot_";
    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int SECRET_LENGTH = 40;

    private final String text;

    private ApiKey(String text) {
        this.text = text;
    }

    /** Makes a new key. */
    public static ApiKey generate(RandomGenerator random) {
        StringBuilder text = new StringBuilder(PREFIX);
        for (int i = 0; i < SECRET_LENGTH; i++) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return new ApiKey(text.toString());
    }

    /** Reads what a client sent; empty if it cannot be a key of ours. */
    public static Optional<ApiKey> parse(String text) {
        boolean possible = text.length() == PREFIX.length() + SECRET_LENGTH
                && text.startsWith(PREFIX)
                && isOfTheAlphabet(text, PREFIX.length());
        return possible ? Optional.of(new ApiKey(text)) : Optional.empty();
    }

    /** A loop, as every request comes by here. */
    private static boolean isOfTheAlphabet(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            if (ALPHABET.indexOf(text.charAt(i)) < 0) {
                return false;
            }
        }
        return true;
    }

    /** The key itself, to be shown once and never logged. */
    public String reveal() {
        return text;
    }

    /** What is kept of it. */
    public Hash sha256() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
            return new Hash(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return PREFIX + "…";
    }

    /** The SHA-256 of a key, 32 octets. */
    public static final class Hash {

        private final byte[] octets;

        private Hash(byte[] octets) {
            this.octets = octets;
        }

        /** A copy of the octets. */
        public byte[] octets() {
            return octets.clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Hash that && MessageDigest.isEqual(octets, that.octets);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(octets);
        }
    }
}
