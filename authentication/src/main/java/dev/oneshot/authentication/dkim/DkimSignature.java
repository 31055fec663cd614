package dev.oneshot.authentication.dkim;

import dev.oneshot.authentication.dkim.DkimResult.Verdict;
import dev.oneshot.authentication.dns.DomainNames;
import dev.oneshot.authentication.dns.TagList;
import java.io.Serial;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
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
    private static final int TIME_DIGITS_MAX = 12;
    private static final int LENGTH_DIGITS_MAX = 76;
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");
    private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);
    private static final Pattern ENCODED_OCTET = Pattern.compile("=([0-9A-F]{2})");
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
        String domain = name(tags.compact("d"));
        String selector = name(tags.compact("s"));
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
        String identityDomain = tags.has("i") ? identityDomain(tags.compact("i")) : domain;
        require(DomainNames.isWithin(identityDomain, domain), "i= is not within d=");
        require(tags.lists("q", "dns/txt"), "unknown q=");
        long signedAt = number(tags, "t", TIME_DIGITS_MAX);
        long expires = number(tags, "x", TIME_DIGITS_MAX);
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
                number(tags, "l", LENGTH_DIGITS_MAX),
                base64(tags.compact("bh")),
                base64(tags.compact("b")));
    }

    /** A result that names this signature, by its valid tags. */
    static DkimResult result(TagList tags, Verdict verdict, String reason) {
        String signature = tags.compact("b");
        return new DkimResult(
                verdict,
                name(tags.compact("d")),
                name(tags.compact("s")),
                tags.get("a").toLowerCase(Locale.ROOT),
                signature.substring(0, Math.min(NAMED_CHARACTERS, signature.length())),
                reason);
    }

    /** The canonical form of a name; empty if it is none. Internationalized fields have U-labels (RFC 8616 §5). */
    private static String name(String octets) {
        String text = new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        return DomainNames.canonical(text).orElse("");
    }

    /** The domain of an identity in quoted-printable (RFC 6376 §2.11); empty if there is none. */
    private static String identityDomain(String identity) {
        int at = identity.lastIndexOf('@');
        String decoded = ENCODED_OCTET
                .matcher(identity.substring(at + 1))
                .replaceAll(
                        octet -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(octet.group(1), 16))));
        return at < 0 ? "" : name(decoded);
    }

    /** The value of a tag, -1 if it is absent. */
    private static long number(TagList tags, String name, int digitsMax) throws Rejected {
        if (!tags.has(name)) {
            return -1;
        }
        String digits = tags.get(name);
        require(digits.length() <= digitsMax && DIGITS.matcher(digits).matches(), name + "= is no number");
        return new BigInteger(digits).min(LONG_MAX).longValueExact();
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
