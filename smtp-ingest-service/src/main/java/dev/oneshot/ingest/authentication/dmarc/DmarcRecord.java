package dev.oneshot.ingest.authentication.dmarc;

import dev.oneshot.ingest.authentication.dns.TagList;
import java.util.Locale;
import java.util.Optional;

/**
 * A policy record (RFC 9989 §4.7).
 *
 * @param policy {@code p=}
 * @param subdomains {@code sp=}, or its default
 * @param missingSubdomains {@code np=}, or its default
 * @param strictDkim {@code adkim=s}
 * @param strictSpf {@code aspf=s}
 * @param publicSuffix {@code psd=}
 * @param testing {@code t=y}
 */
record DmarcRecord(
        Policy policy,
        Policy subdomains,
        Policy missingSubdomains,
        boolean strictDkim,
        boolean strictSpf,
        PublicSuffix publicSuffix,
        boolean testing) {

    /** The domain owner's wish for mail that fails, the mildest first. */
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
    static Optional<DmarcRecord> parse(String text) {
        TagList tags = TagList.ofValid(text);
        if (!tags.beginsWith("v", "DMARC1")) {
            return Optional.empty();
        }
        Optional<Policy> p = policy(tags, "p", Policy.NONE);
        Optional<Policy> sp = p.flatMap(policy -> policy(tags, "sp", policy));
        Optional<Policy> np = sp.flatMap(policy -> policy(tags, "np", policy));
        boolean valid = np.isPresent();
        boolean reports = tags.get("rua").toLowerCase(Locale.ROOT).contains("mailto:");
        if (!valid && !reports) {
            return Optional.empty();
        }
        return Optional.of(new DmarcRecord(
                valid ? p.orElse(Policy.NONE) : Policy.NONE,
                valid ? sp.orElse(Policy.NONE) : Policy.NONE,
                valid ? np.orElse(Policy.NONE) : Policy.NONE,
                tags.get("adkim").equalsIgnoreCase("s"),
                tags.get("aspf").equalsIgnoreCase("s"),
                switch (tags.get("psd").toLowerCase(Locale.ROOT)) {
                    case "y" -> PublicSuffix.YES;
                    case "n" -> PublicSuffix.NO;
                    default -> PublicSuffix.UNKNOWN;
                },
                tags.get("t").equalsIgnoreCase("y")));
    }

    /** Empty if the value is none of the three. */
    private static Optional<Policy> policy(TagList tags, String name, Policy absent) {
        return switch (tags.get(name).toLowerCase(Locale.ROOT)) {
            case "none" -> Optional.of(Policy.NONE);
            case "quarantine" -> Optional.of(Policy.QUARANTINE);
            case "reject" -> Optional.of(Policy.REJECT);
            default -> tags.has(name) ? Optional.empty() : Optional.of(absent);
        };
    }
}
