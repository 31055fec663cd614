package dev.oneshot.ingest.authentication.dkim;

import dev.oneshot.ingest.authentication.dkim.BodyHash.Hash;
import dev.oneshot.ingest.authentication.dkim.DkimResult.Verdict;
import dev.oneshot.ingest.authentication.dkim.DkimSignature.Rejected;
import dev.oneshot.ingest.authentication.dkim.HeaderSection.Field;
import dev.oneshot.ingest.authentication.dns.Dns;
import dev.oneshot.ingest.authentication.dns.Dns.Answer;
import dev.oneshot.ingest.authentication.dns.TagList;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Verifies the signatures of one message, each once, and its body in each canonical form at most once. */
public final class DkimVerifier {

    /** Further ones, which real mail does not have, are not verified. */
    static final int SIGNATURES_MAX = 8;

    private static final int FIELD_BYTES_MAX = 16 * 1024;

    private final HeaderSection header;
    private final List<ByteBuffer> body;
    private final Dns dns;
    private final Instant now;
    private @Nullable Hash simple;
    private @Nullable Hash relaxed;

    /** @param body behind the empty line */
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
        for (Field field : signatures.subList(0, Math.min(SIGNATURES_MAX, signatures.size()))) {
            results.add(verify(field));
        }
        if (signatures.size() > SIGNATURES_MAX) {
            results.add(DkimResult.unnamed(Verdict.POLICY, "too many signatures, further ones are not verified"));
        }
        return results;
    }

    private DkimResult verify(Field field) {
        if (field.end() - field.start() > FIELD_BYTES_MAX) {
            return DkimResult.unnamed(Verdict.NEUTRAL, "signature field too large");
        }
        String text =
                new String(header.octets(), field.value(), field.end() - field.value(), StandardCharsets.ISO_8859_1);
        Optional<TagList> parsed = TagList.parse(text);
        if (parsed.isEmpty()) {
            return DkimResult.unnamed(Verdict.NEUTRAL, "no list of tags");
        }
        TagList tags = parsed.get();
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
        Hash hash = bodyHash(signature.relaxedBody());
        require(signature.bodyLength() <= hash.length(), "the body is shorter than l=");
        if (signature.bodyLength() >= 0 && signature.bodyLength() < hash.length()) {
            // Anyone can add to such a body (RFC 6376 §8.2).
            throw new Rejected(Verdict.POLICY, "only a part of the body is signed");
        }
        require(MessageDigest.isEqual(hash.octets(), signature.bodyHash()), "body has changed");
        boolean verified = signature
                .algorithm()
                .verifies(
                        key,
                        signature.signature(),
                        into -> SignedHeader.write(header, field, signature.signed(), signature.relaxedHeader(), into));
        require(verified, "signature does not match");
    }

    private Hash bodyHash(boolean isRelaxed) {
        Hash known = isRelaxed ? relaxed : simple;
        if (known == null) {
            known = BodyHash.of(body, isRelaxed);
            if (isRelaxed) {
                relaxed = known;
            } else {
                simple = known;
            }
        }
        return known;
    }

    /** RFC 6376 §6.1.2; the first valid key record of several. */
    private PublicKey key(DkimSignature signature) throws Rejected {
        String name = signature.selector() + "._domainkey." + signature.domain();
        return switch (dns.query(name, Dns.Type.TXT)) {
            case Answer.Unknown _ -> throw new Rejected(Verdict.TEMPERROR, "key not known in time");
            case Answer.None _ -> throw new Rejected(Verdict.PERMERROR, "no key");
            case Answer.Found found -> {
                TagList record = found.values().stream()
                        .map(TagList::parse)
                        .flatMap(Optional::stream)
                        .filter(tags -> tags.has("p") && (!tags.has("v") || tags.beginsWith("v", "DKIM1")))
                        .findFirst()
                        .orElseThrow(() -> new Rejected(Verdict.PERMERROR, "no key"));
                yield key(signature, record);
            }
        };
    }

    private static PublicKey key(DkimSignature signature, TagList record) throws Rejected {
        Algorithm algorithm = signature.algorithm();
        permit(!record.compact("p").isEmpty(), "key revoked");
        permit(
                record.has("k") ? record.get("k").equals(algorithm.keyType()) : algorithm == Algorithm.RSA_SHA256,
                "key of another type");
        permit(lists(record, "h", "sha256"), "key not for SHA-256");
        permit(lists(record, "s", "email") || lists(record, "s", "*"), "key not for mail");
        boolean exact = record.has("t") && lists(record, "t", "s");
        permit(!exact || signature.identityDomain().equals(signature.domain()), "i= is below d=");
        try {
            PublicKey key = algorithm.key(Base64.getDecoder().decode(record.compact("p")));
            boolean small = key instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() < Algorithm.RSA_BITS_MIN;
            require(!small, "RSA key under " + Algorithm.RSA_BITS_MIN + " bits");
            return key;
        } catch (IllegalArgumentException | GeneralSecurityException _) {
            throw new Rejected(Verdict.PERMERROR, "key not readable");
        }
    }

    /** Whether a list has the value; an absent one has every value. */
    private static boolean lists(TagList record, String tag, String value) {
        return !record.has(tag) || List.of(record.compact(tag).split(":", -1)).contains(value);
    }

    private static void permit(boolean usable, String reason) throws Rejected {
        if (!usable) {
            throw new Rejected(Verdict.PERMERROR, reason);
        }
    }

    private static void require(boolean verified, String reason) throws Rejected {
        if (!verified) {
            throw new Rejected(Verdict.FAIL, reason);
        }
    }
}
