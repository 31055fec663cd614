package dev.oneshot.contracts.address;

import dev.oneshot.contracts.signing.SigningKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Issues and verifies address ids.
 *
 * <p>An id is 15 bytes in lower-case base32: format and code of the size class (one byte, four bits each), the second in which the
 * address expires (four bytes, seconds since {@link #EPOCH}), the sixteenths of the size class less one (four bits), 36 random
 * bits, and the first five bytes of HMAC-SHA-256 over those ten. Addresses that send have a format of their own. The api-service
 * and the ingest nodes share the secret. Forty bits cannot be guessed over SMTP: each guess costs a round trip and an error, and a
 * connection has a bounded number of errors.
 *
 * <p>Safe for use by many threads.
 */
public final class AddressIdCodec {

    /** The instant that expiry seconds count from. Four bytes of seconds reach to 2161. */
    public static final Instant EPOCH = Instant.parse("2025-01-01T00:00:00Z");

    private static final int RECEIVES = 1;
    private static final int SENDS = 2;
    private static final int SIGNED_BYTES = 10;
    private static final int SIGNATURE_BYTES = 5;
    private static final int RANDOM_BYTES = 5;
    private static final int EXPIRY_OFFSET = 1;
    private static final int RANDOM_OFFSET = 5;
    private static final long SECONDS_MAX = 0xFFFF_FFFFL;
    private static final byte[] DOMAIN = "oneshot address id\0".getBytes(StandardCharsets.US_ASCII);

    private final List<SigningKey> keys;
    private final RandomGenerator random;

    /**
     * @param keys the first signs, all verify; never empty
     * @param random the source of the 36 random bits; a {@link java.security.SecureRandom} outside of tests
     */
    public AddressIdCodec(List<SigningKey> keys, RandomGenerator random) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("at least one address key is needed");
        }
        this.keys = List.copyOf(keys);
        this.random = random;
    }

    /**
     * Issues the id of an address that receives.
     *
     * @param expiresAt when the address expires; the id carries it rounded up to the second
     * @throws IllegalArgumentException if that is before {@link #EPOCH} or after four bytes of seconds
     */
    public AddressId issue(SizeClass sizeClass, Instant expiresAt) {
        return issue(RECEIVES, sizeClass, expiresAt);
    }

    /** Issues the id of an address that sends, as {@link #issue} does. */
    public AddressId issueSending(SizeClass sizeClass, Instant expiresAt) {
        return issue(SENDS, sizeClass, expiresAt);
    }

    private AddressId issue(int format, SizeClass sizeClass, Instant expiresAt) {
        long seconds = Math.ceilDiv(Duration.between(EPOCH, expiresAt).toMillis(), 1_000L);
        if (seconds < 0 || seconds > SECONDS_MAX) {
            throw new IllegalArgumentException("an address id cannot carry the expiry " + expiresAt);
        }
        byte[] octets = new byte[SIGNED_BYTES];
        octets[0] = (byte) (format << 4 | sizeClass.code());
        ByteBuffer.wrap(octets).putInt(EXPIRY_OFFSET, (int) seconds);
        byte[] entropy = new byte[RANDOM_BYTES];
        random.nextBytes(entropy);
        System.arraycopy(entropy, 0, octets, RANDOM_OFFSET, RANDOM_BYTES);
        octets[RANDOM_OFFSET] = (byte) ((sizeClass.attachmentSixteenths() - 1) << 4 | (octets[RANDOM_OFFSET] & 0x0F));
        byte[] signature = sign(keys.getFirst(), octets);
        byte[] whole = Arrays.copyOf(octets, SIGNED_BYTES + SIGNATURE_BYTES);
        System.arraycopy(signature, 0, whole, SIGNED_BYTES, SIGNATURE_BYTES);
        return new AddressId(Base32.encode(whole), format == RECEIVES, sizeClass, expiryOf(whole));
    }

    /**
     * Verifies a local part.
     *
     * @param localPart as it came, in any case
     * @return the id in lower case, or empty if no key has signed it. An expired id is also returned: compare {@link
     *     AddressId#expiresBy()} with the clock.
     */
    public Optional<AddressId> verify(String localPart) {
        if (localPart.length() != AddressId.LENGTH) {
            return Optional.empty();
        }
        byte[] octets = Base32.decode(localPart);
        if (octets == null) {
            return Optional.empty();
        }
        int format = octets[0] >>> 4;
        if ((format != RECEIVES && format != SENDS) || !isSigned(octets)) {
            return Optional.empty();
        }
        SizeClass sizeClass = new SizeClass(octets[0] & 0x0F, ((octets[RANDOM_OFFSET] & 0xF0) >>> 4) + 1);
        return Optional.of(new AddressId(Base32.encode(octets), format == RECEIVES, sizeClass, expiryOf(octets)));
    }

    private boolean isSigned(byte[] octets) {
        byte[] signed = Arrays.copyOf(octets, SIGNED_BYTES);
        byte[] signature = Arrays.copyOfRange(octets, SIGNED_BYTES, SIGNED_BYTES + SIGNATURE_BYTES);
        for (SigningKey key : keys) {
            if (MessageDigest.isEqual(signature, sign(key, signed))) {
                return true;
            }
        }
        return false;
    }

    private static Instant expiryOf(byte[] octets) {
        long seconds = Integer.toUnsignedLong(ByteBuffer.wrap(octets).getInt(EXPIRY_OFFSET));
        return EPOCH.plusSeconds(seconds);
    }

    private static byte[] sign(SigningKey key, byte[] signed) {
        return Arrays.copyOf(key.sign(DOMAIN, signed), SIGNATURE_BYTES);
    }
}
