package dev.oneshot.ingest.authentication.dkim;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.function.Consumer;

/** The algorithms of signatures: of RFC 8301 without SHA-1, and of RFC 8463. */
enum Algorithm {
    RSA_SHA256("rsa", "RSA"),
    ED25519_SHA256("ed25519", "Ed25519");

    static final int RSA_BITS_MIN = 1024;
    private static final int RSA_BITS_MAX = 8192;
    // Larger ones only make verifying slow.
    private static final BigInteger EXPONENT_MAX = BigInteger.ONE.shiftLeft(32);
    private static final int ED25519_KEY_BYTES = 32;
    // SubjectPublicKeyInfo of an Ed25519 key (RFC 8410 §4), up to the key.
    private static final byte[] ED25519_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private final String keyType;
    private final String jdkName;

    Algorithm(String keyType, String jdkName) {
        this.keyType = keyType;
        this.jdkName = jdkName;
    }

    /** The value of {@code k=} in a key record. */
    String keyType() {
        return keyType;
    }

    /**
     * The key in {@code p=} of a key record.
     *
     * @throws GeneralSecurityException if it is none
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
        PublicKey key = KeyFactory.getInstance(jdkName).generatePublic(new X509EncodedKeySpec(encoded));
        if (key instanceof RSAPublicKey rsa
                && (rsa.getModulus().bitLength() > RSA_BITS_MAX
                        || rsa.getPublicExponent().compareTo(EXPONENT_MAX) > 0)) {
            throw new GeneralSecurityException("too large");
        }
        return key;
    }

    /**
     * Whether a signature is that of the octets that the header gives.
     *
     * @throws GeneralSecurityException if it cannot be
     */
    boolean verifies(PublicKey key, byte[] signature, Consumer<Octets> header) throws GeneralSecurityException {
        if (this == ED25519_SHA256) {
            MessageDigest digest = sha256();
            header.accept(digest::update);
            Signature verifier = Signature.getInstance(jdkName);
            verifier.initVerify(key);
            verifier.update(digest.digest());
            return verifier.verify(signature);
        }
        Signature verifier = Signature.getInstance("SHA256withRSA");
        verifier.initVerify(key);
        header.accept((octets, from, length) -> {
            try {
                verifier.update(octets, from, length);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("not initialized", e);
            }
        });
        return verifier.verify(signature);
    }

    /** Takes octets. */
    interface Octets {
        void update(byte[] octets, int from, int length);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }
}
