package dev.oneshot.authentication.dkim;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/** The signature algorithms: of RFC 8301 without SHA-1, and of RFC 8463. */
enum Algorithm {
    RSA_SHA256("rsa", "SHA256withRSA"),
    ED25519_SHA256("ed25519", "Ed25519");

    static final int RSA_BITS_MIN = 1024;
    private static final int RSA_BITS_MAX = 8192;
    // Larger ones only make verifying slow.
    private static final BigInteger EXPONENT_MAX = BigInteger.ONE.shiftLeft(32);
    private static final int ED25519_KEY_BYTES = 32;
    // SubjectPublicKeyInfo of an Ed25519 key (RFC 8410 §4), up to the key.
    private static final byte[] ED25519_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    // The algorithm of SubjectPublicKeyInfo for RSA (RFC 3279 §2.3.1).
    private static final byte[] RSA_ALGORITHM = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
    private static final int SEQUENCE = 0x30;
    private static final int BIT_STRING = 0x03;
    private static final int SHORT_LENGTH_MAX = 127;

    private final String keyType;
    private final String signatureName;

    Algorithm(String keyType, String signatureName) {
        this.keyType = keyType;
        this.signatureName = signatureName;
    }

    /** The value of {@code k=} in a key record. It is also the JDK's name of the key factory, whatever its case. */
    String keyType() {
        return keyType;
    }

    /**
     * The key in {@code p=} of a key record. Of RSA, it is a SubjectPublicKeyInfo as everyone publishes it, or an
     * RSAPublicKey as RFC 6376 §3.6.1 says.
     *
     * @throws GeneralSecurityException if it is no key
     */
    PublicKey key(byte[] octets) throws GeneralSecurityException {
        byte[] encoded = octets;
        if (this == ED25519_SHA256) {
            if (octets.length != ED25519_KEY_BYTES) {
                throw new GeneralSecurityException("not 32 octets");
            }
            encoded = ByteBuffer.allocate(ED25519_PREFIX.length + ED25519_KEY_BYTES)
                    .put(ED25519_PREFIX)
                    .put(octets)
                    .array();
        }
        PublicKey key = decoded(encoded);
        if (key instanceof RSAPublicKey rsa
                && (rsa.getModulus().bitLength() > RSA_BITS_MAX
                        || rsa.getPublicExponent().compareTo(EXPONENT_MAX) > 0)) {
            throw new GeneralSecurityException("too large");
        }
        return key;
    }

    private PublicKey decoded(byte[] encoded) throws GeneralSecurityException {
        KeyFactory keys = KeyFactory.getInstance(keyType);
        try {
            return keys.generatePublic(new X509EncodedKeySpec(encoded));
        } catch (InvalidKeySpecException e) {
            if (this != RSA_SHA256) {
                throw e;
            }
            byte[] bits = der(BIT_STRING, new byte[1], encoded);
            return keys.generatePublic(new X509EncodedKeySpec(der(SEQUENCE, RSA_ALGORITHM, bits)));
        }
    }

    /** A value of two parts with its tag and length (X.690 §8.1). */
    private static byte[] der(int tag, byte[] first, byte[] second) {
        int length = first.length + second.length;
        ByteBuffer value = ByteBuffer.allocate(1 + 1 + Integer.BYTES + length).put((byte) tag);
        if (length <= SHORT_LENGTH_MAX) {
            value.put((byte) length);
        } else {
            value.put((byte) (0x80 | Integer.BYTES)).putInt(length);
        }
        value.put(first).put(second);
        return Arrays.copyOf(value.array(), value.position());
    }

    /**
     * Whether the signature of a header is valid.
     *
     * @throws GeneralSecurityException if it cannot be verified
     */
    boolean verifies(PublicKey key, byte[] signature, byte[] header) throws GeneralSecurityException {
        Signature verifier = Signature.getInstance(signatureName);
        verifier.initVerify(key);
        verifier.update(this == ED25519_SHA256 ? sha256().digest(header) : header);
        return verifier.verify(signature);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }
}
