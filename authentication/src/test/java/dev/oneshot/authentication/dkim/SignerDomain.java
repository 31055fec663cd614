package dev.oneshot.authentication.dkim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.authentication.dkim.DkimResult.Verdict;
import dev.oneshot.authentication.resolver.Resolvers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The domain signer.example, with the keys that it publishes, and a verifier that reads them. */
final class SignerDomain {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    static final KeyPair RSA = keys("RSA", 2048);

    private static final String KEY_NAME = "k._domainkey.signer.example";

    private final Map<String, String> records = new HashMap<>();

    static KeyPair keys(String algorithm, int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static String publicKey(KeyPair keys) {
        return Base64.getEncoder().encodeToString(keys.getPublic().getEncoded());
    }

    void publish(KeyPair keys, String tags) {
        publish(tags + "p=" + publicKey(keys));
    }

    void publish(String record) {
        records.put(KEY_NAME, record);
    }

    /** The verdict of a message with one signature. */
    Verdict verdict(String message) {
        List<DkimResult> results = verify(message);
        assertThat(results).hasSize(1);
        return results.getFirst().verdict();
    }

    List<DkimResult> verify(String message) {
        return verify(message.getBytes(StandardCharsets.ISO_8859_1), Integer.MAX_VALUE);
    }

    List<DkimResult> verify(byte[] octets, int pieceBytes) {
        HeaderSection header = HeaderSection.read(octets, 0, octets.length);
        List<ByteBuffer> body = new ArrayList<>();
        int at = header.bodyStart();
        while (at < octets.length) {
            ByteBuffer piece = ByteBuffer.wrap(octets, at, Math.min(pieceBytes, octets.length - at));
            body.add(piece);
            at = piece.limit();
        }
        return new DkimVerifier(header, body, Resolvers.dns(records, new ArrayList<>()), NOW).verify();
    }

    void publishAt(String name, String record) {
        records.put(name, record);
    }
}
