package dev.oneshot.ingest.authentication.dkim;

import dev.oneshot.ingest.authentication.dkim.DkimResult.Verdict;
import dev.oneshot.ingest.authentication.dns.DomainNames;
import dev.oneshot.ingest.authentication.dns.TagList;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A signature field with valid tags (RFC 6376 §3.5).
 *
 * @param signed the names in {@code h=}, in lower case
 * @param bodyLength {@code l=}; -1 if there is none
 * @param identityDomain the domain of {@code i=}
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record DkimSignature(
        Algorithm algorithm,
        String domain,
        String selector,
        String identityDomain,
        List<String> signed,
        boolean relaxedHeader,
        boolean relaxedBody,
        long bodyLength,
        byte[] bodyHash,
        byte[] signature) {

    private static final int NAMED_CHARACTERS = 8;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,12}");
    private static final Pattern CANONICALIZATION = Pattern.compile("(?:simple|relaxed)(?:/(?:simple|relaxed))?");

    /** Ends the verification of a signature. */
    static final class Rejected extends Exception {

        @Serial
        private static final long serialVersionUID = 1L;

        private final Verdict verdict;

        Rejected(Verdict verdict, String reason) {
            super(reason, null, false, false);
            this.verdict = verdict;
        }

        static void unless(boolean accepted, Verdict verdict, String reason) throws Rejected {
            if (!accepted) {
                throw new Rejected(verdict, reason);
            }
        }

        Verdict verdict() {
            return verdict;
        }
    }

    /**
     * Reads the tags.
     *
     * @throws Rejected if they are not valid, or the signature is not to be accepted
     */
    static DkimSignature of(TagList tags, Instant now) throws Rejected {
        require("1".equals(tags.get("v")), "v= is not 1");
        String domain = DomainNames.canonical(tags.compact("d")).orElse("");
        String selector = DomainNames.canonical(tags.compact("s")).orElse("");
        require(!domain.isEmpty() && domain.indexOf('.') > 0 && !selector.isEmpty(), "no domain or selector");
        Algorithm algorithm = switch (tags.get("a").toLowerCase(Locale.ROOT)) {
            case "rsa-sha256" -> Algorithm.RSA_SHA256;
            case "ed25519-sha256" -> Algorithm.ED25519_SHA256;
            case "rsa-sha1" -> throw new Rejected(Verdict.FAIL, "SHA-1 is not accepted");
            default -> throw new Rejected(Verdict.NEUTRAL, "unknown algorithm");
        };
        List<String> signed = List.of(tags.compact("h").toLowerCase(Locale.ROOT).split(":", -1));
        require(signed.contains("from"), "the From field is not signed");
        String method = tags.has("c") ? tags.get("c").toLowerCase(Locale.ROOT) : "simple";
        require(CANONICALIZATION.matcher(method).matches(), "unknown canonicalization");
        String identity = tags.compact("i").isEmpty() ? domain : tags.compact("i");
        String identityDomain = DomainNames.canonical(identity.substring(identity.lastIndexOf('@') + 1))
                .orElse("");
        require(DomainNames.isWithin(identityDomain, domain), "i= is not within d=");
        require(tags.lists("q", "dns/txt"), "unknown q=");
        long signedAt = number(tags, "t");
        long expires = number(tags, "x");
        require(signedAt < 0 || expires < 0 || expires > signedAt, "x= is before t=");
        Rejected.unless(expires < 0 || expires >= now.getEpochSecond(), Verdict.FAIL, "expired");
        return new DkimSignature(
                algorithm,
                domain,
                selector,
                identityDomain,
                signed,
                method.startsWith("relaxed"),
                method.endsWith("/relaxed"),
                number(tags, "l"),
                base64(tags.compact("bh")),
                base64(tags.compact("b")));
    }

    /** A result that names this signature, by its valid tags. */
    static DkimResult result(TagList tags, Verdict verdict, String reason) {
        String signature = tags.compact("b");
        return new DkimResult(
                verdict,
                DomainNames.canonical(tags.compact("d")).orElse(""),
                DomainNames.canonical(tags.compact("s")).orElse(""),
                tags.get("a").toLowerCase(Locale.ROOT),
                signature.substring(0, Math.min(NAMED_CHARACTERS, signature.length())),
                reason);
    }

    private static long number(TagList tags, String name) throws Rejected {
        if (!tags.has(name)) {
            return -1;
        }
        require(NUMBER.matcher(tags.get(name)).matches(), name + "= is no number");
        return Long.parseLong(tags.get(name));
    }

    private static byte[] base64(String text) throws Rejected {
        try {
            byte[] octets = Base64.getDecoder().decode(text.getBytes(StandardCharsets.ISO_8859_1));
            require(octets.length > 0, "b= or bh= is missing");
            return octets;
        } catch (IllegalArgumentException _) {
            throw new Rejected(Verdict.NEUTRAL, "broken base64");
        }
    }

    private static void require(boolean valid, String reason) throws Rejected {
        Rejected.unless(valid, Verdict.NEUTRAL, reason);
    }
}
