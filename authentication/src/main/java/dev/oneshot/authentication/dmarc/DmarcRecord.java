package dev.oneshot.authentication.dmarc;

import dev.oneshot.authentication.dns.TagList;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A policy record (RFC 9989 §4.7).
 *
 * @param domain whose record it is
 * @param policy {@code p=}
 * @param subdomains {@code sp=}, or its default
 * @param missingSubdomains {@code np=}, or its default
 * @param strictDkim {@code adkim=s}
 * @param strictSpf {@code aspf=s}
 * @param publicSuffix {@code psd=}
 * @param testing {@code t=y}
 */
record DmarcRecord(
        String domain,
        Policy policy,
        Policy subdomains,
        Policy missingSubdomains,
        boolean strictDkim,
        boolean strictSpf,
        PublicSuffix publicSuffix,
        boolean testing) {

    private static final List<String> POLICY_TAGS = List.of("p", "sp", "np");
    /** Before it, no blank is allowed (RFC 9989 §4.8). */
    private static final Pattern VERSION = Pattern.compile("v[ \t]*=[ \t]*DMARC1[ \t]*(?:;|\\z)");

    private static final Pattern VISIBLE = Pattern.compile("[!-~]+");
    private static final Pattern POLICY = Pattern.compile("(?i)none|quarantine|reject");

    /** What the domain owner asks for mail that fails, the mildest first. */
    enum Policy {
        NONE,
        QUARANTINE,
        REJECT;

        /** While a policy is tested, the next milder one is applied. */
        Policy milder() {
            return this == REJECT ? QUARANTINE : NONE;
        }
    }

    /** Whether names below the domain belong to others. */
    enum PublicSuffix {
        YES,
        NO,
        UNKNOWN
    }

    /** Parses the text of a TXT record; empty if it is no policy record. */
    static Optional<DmarcRecord> parse(String domain, String text) {
        TagList tags = new TagList(text);
        boolean isValid = POLICY_TAGS.stream()
                .allMatch(tag -> !tags.has(tag) || POLICY.matcher(tags.get(tag)).matches());
        if (!VERSION.matcher(text).lookingAt() || !(isValid || hasReportAddress(tags))) {
            return Optional.empty();
        }
        TagList policies = isValid ? tags : new TagList("");
        Policy policy = policy(policies, "p", Policy.NONE);
        Policy subdomains = policy(policies, "sp", policy);
        return Optional.of(new DmarcRecord(
                domain,
                policy,
                subdomains,
                policy(policies, "np", subdomains),
                tags.get("adkim").equalsIgnoreCase("s"),
                tags.get("aspf").equalsIgnoreCase("s"),
                switch (tags.get("psd").toLowerCase(Locale.ROOT)) {
                    case "y" -> PublicSuffix.YES;
                    case "n" -> PublicSuffix.NO;
                    default -> PublicSuffix.UNKNOWN;
                },
                tags.get("t").equalsIgnoreCase("y")));
    }

    /** Whether a valid URI is in {@code rua=}, of any scheme. */
    private static boolean hasReportAddress(TagList tags) {
        return Stream.of(tags.get("rua").split(",", -1)).map(String::strip).anyMatch(DmarcRecord::isUri);
    }

    private static boolean isUri(String text) {
        try {
            return VISIBLE.matcher(text).matches() && new URI(text).isAbsolute();
        } catch (URISyntaxException _) {
            return false;
        }
    }

    private static Policy policy(TagList tags, String tag, Policy absent) {
        return tags.has(tag) ? Policy.valueOf(tags.get(tag).toUpperCase(Locale.ROOT)) : absent;
    }
}
