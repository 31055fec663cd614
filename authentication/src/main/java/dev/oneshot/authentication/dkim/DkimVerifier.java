package dev.oneshot.authentication.dkim;

import dev.oneshot.authentication.dkim.BodyHash.Hash;
import dev.oneshot.authentication.dkim.DkimResult.Verdict;
import dev.oneshot.authentication.dkim.DkimSignature.Rejected;
import dev.oneshot.authentication.dkim.HeaderSection.Field;
import dev.oneshot.authentication.dns.Dns;
import dev.oneshot.authentication.dns.Dns.Answer;
import dev.oneshot.authentication.dns.TagList;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Verifies the signatures of one message. Hashes its body at most once in each canonical form. */
public final class DkimVerifier {

    /** Further ones are not verified; real mail has fewer. */
    static final int SIGNATURES_MAX = 8;

    private static final int FIELD_BYTES_MAX = 16 * 1024;

    private final HeaderSection header;
    private final List<ByteBuffer> body;
    private final Dns dns;
    private final Instant now;
    private final Map<Boolean, Hash> bodyHashes = new HashMap<>();

    /** @param body after the empty line */
    public DkimVerifier(HeaderSection header, List<ByteBuffer> body, Dns dns, Instant now) {
        this.header = header;
        this.body = body;
        this.dns = dns;
        this.now = now;
    }

    /** A result for each signature, top first; none if the message is not signed. */
    public List<DkimResult> verify() {
        List<Field> signatures = header.named("dkim-signature");
        List<DkimResult> results = new ArrayList<>();
        if (!header.isWellFormed() && !signatures.isEmpty()) {
            return List.of(DkimResult.unnamed(Verdict.NEUTRAL, "header section has lines that are no fields"));
        }
        signatures.stream().limit(SIGNATURES_MAX).map(this::verify).forEach(results::add);
        if (signatures.size() > SIGNATURES_MAX) {
            results.add(DkimResult.unnamed(Verdict.POLICY, "too many signatures, further ones are not verified"));
        }
        return results;
    }

    private DkimResult verify(Field field) {
        if (field.valueLength() > FIELD_BYTES_MAX) {
            return DkimResult.unnamed(Verdict.NEUTRAL, "signature field too large");
        }
        TagList tags = new TagList(field.value());
        if (!tags.isValid()) {
            return DkimResult.unnamed(Verdict.NEUTRAL, "no list of tags");
        }
        try {
            verify(field, DkimSignature.of(tags, now));
            return DkimSignature.result(tags, Verdict.PASS, "");
        } catch (Rejected e) {
            return DkimSignature.result(tags, e.verdict(), String.valueOf(e.getMessage()));
        } catch (GeneralSecurityException _) {
            return DkimSignature.result(tags, Verdict.FAIL, "signature cannot be verified");
        }
    }

    private void verify(Field field, DkimSignature signature) throws Rejected, GeneralSecurityException {
        PublicKey key = key(signature);
        Hash hash = bodyHashes.computeIfAbsent(signature.relaxedBody(), relaxed -> BodyHash.of(body, relaxed));
        require(signature.bodyLength() <= hash.length(), "the body is shorter than l=");
        // Anyone can add to such a body (RFC 6376 §8.2).
        boolean whole = signature.bodyLength() < 0 || signature.bodyLength() == hash.length();
        Rejected.unless(whole, Verdict.POLICY, "only a part of the body is signed");
        require(MessageDigest.isEqual(hash.octets(), signature.bodyHash()), "body has changed");
        byte[] signed = SignedHeader.octets(header, field, signature.signed(), signature.relaxedHeader());
        require(signature.algorithm().verifies(key, signature.signature(), signed), "signature does not match");
    }

    private PublicKey key(DkimSignature signature) throws Rejected {
        KeyRecord record = record(signature.selector() + "._domainkey." + signature.domain(), dns);
        boolean exact = record.tags().has("t") && record.tags().lists("t", "s");
        permit(!exact || signature.identityDomain().equals(signature.domain()), "i= is below d=");
        return key(record, signature.algorithm());
    }

    /**
     * The published key that verifies signatures.
     *
     * @param name of the key record
     * @throws GeneralSecurityException if there is no valid key; the message says why
     */
    public static PublicKey publishedKey(String name, Dns dns) throws GeneralSecurityException {
        try {
            KeyRecord record = record(name, dns);
            return key(record, record.algorithm());
        } catch (Rejected e) {
            throw new GeneralSecurityException(e.getMessage(), e);
        }
    }

    /**
     * A published key (RFC 6376 §3.6.1).
     *
     * @param key of {@link #algorithm}; empty if it is not readable
     */
    private record KeyRecord(TagList tags, Optional<PublicKey> key) {

        static KeyRecord of(TagList tags) {
            try {
                byte[] octets = Base64.getDecoder().decode(tags.compact("p"));
                return new KeyRecord(tags, Optional.of(algorithm(tags).key(octets)));
            } catch (IllegalArgumentException | GeneralSecurityException _) {
                return new KeyRecord(tags, Optional.empty());
            }
        }

        private static Algorithm algorithm(TagList tags) {
            boolean isEd25519 = tags.get("k").equals(Algorithm.ED25519_SHA256.keyType());
            return isEd25519 ? Algorithm.ED25519_SHA256 : Algorithm.RSA_SHA256;
        }

        Algorithm algorithm() {
            return algorithm(tags);
        }
    }

    /** The first valid key record of several, if there is one (RFC 6376 §6.1.2). */
    private record Published(Optional<KeyRecord> record) {

        static Published of(List<String> texts) {
            return new Published(texts.stream()
                    .map(TagList::new)
                    .filter(tags -> tags.isValid() && tags.has("p"))
                    .filter(tags -> !tags.has("v") || tags.beginsWith("v", "DKIM1"))
                    .findFirst()
                    .map(KeyRecord::of));
        }
    }

    private static KeyRecord record(String name, Dns dns) throws Rejected {
        return switch (dns.query(name, Dns.Type.TXT)) {
            case Answer.Unknown _ -> throw new Rejected(Verdict.TEMPERROR, "key not known in time");
            case Answer.None _ -> throw new Rejected(Verdict.PERMERROR, "no key");
            case Answer.Found found ->
                found.parsed(Published.class, Published::of)
                        .record()
                        .orElseThrow(() -> new Rejected(Verdict.PERMERROR, "no key"));
        };
    }

    private static PublicKey key(KeyRecord record, Algorithm algorithm) throws Rejected {
        TagList tags = record.tags();
        permit(!tags.compact("p").isEmpty(), "key revoked");
        permit(
                tags.has("k") ? tags.get("k").equals(algorithm.keyType()) : algorithm == Algorithm.RSA_SHA256,
                "key of another type");
        permit(tags.lists("h", "sha256"), "key not for SHA-256");
        permit(tags.lists("s", "email") || tags.lists("s", "*"), "key not for mail");
        PublicKey key = record.key().orElseThrow(() -> new Rejected(Verdict.PERMERROR, "key not readable"));
        boolean small = key instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() < Algorithm.RSA_BITS_MIN;
        require(!small, "RSA key under " + Algorithm.RSA_BITS_MIN + " bits");
        return key;
    }

    private static void permit(boolean usable, String reason) throws Rejected {
        Rejected.unless(usable, Verdict.PERMERROR, reason);
    }

    private static void require(boolean verified, String reason) throws Rejected {
        Rejected.unless(verified, Verdict.FAIL, reason);
    }
}
