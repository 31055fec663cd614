package dev.oneshot.authentication.dmarc;

import dev.oneshot.authentication.dmarc.DmarcRecord.Policy;
import dev.oneshot.authentication.dmarc.DmarcResult.Verdict;
import dev.oneshot.authentication.dns.Dns;
import dev.oneshot.authentication.dns.Dns.Answer;
import dev.oneshot.authentication.dns.DomainNames;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Evaluates a message against the policy of the domain in its From field (RFC 9989 §4). */
public final class Dmarc {

    private final String authorDomain;
    private final Dns dns;
    private final TreeWalk author;
    private boolean complete;

    private Dmarc(String authorDomain, Dns dns) {
        this.authorDomain = authorDomain;
        this.dns = dns;
        this.author = TreeWalk.from(authorDomain, dns);
        this.complete = author.complete();
    }

    /**
     * Domains that authenticated the message, or may have.
     *
     * @param spf of the sender in MAIL, if SPF passed; of the name in HELO for the null reverse-path
     * @param dkim of signatures that passed
     * @param unknown of checks that had a temporary error, and might have passed
     */
    public record Identifiers(List<String> spf, List<String> dkim, List<String> unknown) {}

    /** @param authorDomain of the From field, canonical */
    public static DmarcResult evaluate(String authorDomain, Identifiers identifiers, Dns dns) {
        return new Dmarc(authorDomain, dns).evaluate(identifiers);
    }

    private DmarcResult evaluate(Identifiers identifiers) {
        Optional<DmarcRecord> applicable = applicable();
        if (applicable.isEmpty()) {
            return new DmarcResult(complete ? Verdict.NONE : Verdict.TEMPERROR, "");
        }
        DmarcRecord record = applicable.get();
        String policy = policy(record).name().toLowerCase(Locale.ROOT);
        boolean aligned = identifiers.spf().stream().anyMatch(domain -> isAligned(domain, record.strictSpf()))
                || identifiers.dkim().stream().anyMatch(domain -> isAligned(domain, record.strictDkim()));
        if (aligned) {
            return new DmarcResult(Verdict.PASS, policy);
        }
        // An unknown identifier may be of SPF or of DKIM, so the milder of the two alignments decides.
        boolean strict = record.strictSpf() && record.strictDkim();
        boolean open = identifiers.unknown().stream().anyMatch(domain -> isAligned(domain, strict));
        return new DmarcResult(open || !complete ? Verdict.TEMPERROR : Verdict.FAIL, policy);
    }

    /** The record of the author's domain, else of its Organizational Domain, else of the public suffix above. */
    private Optional<DmarcRecord> applicable() {
        return author.record(authorDomain)
                .or(() -> author.record(author.organizationalDomain()))
                .or(() -> author.found().stream()
                        .filter(record -> record.publicSuffix() == DmarcRecord.PublicSuffix.YES)
                        .findFirst());
    }

    private Policy policy(DmarcRecord record) {
        Policy policy = record.policy();
        if (!record.domain().equals(authorDomain)) {
            boolean missing = dns.query(authorDomain, Dns.Type.A) instanceof Answer.None none && !none.nameExists();
            policy = missing ? record.missingSubdomains() : record.subdomains();
        }
        return record.testing() ? policy.milder() : policy;
    }

    private boolean isAligned(String text, boolean strict) {
        String domain = DomainNames.canonical(text).orElse("");
        if (strict || domain.isEmpty() || domain.equals(authorDomain)) {
            return domain.equals(authorDomain);
        }
        String organizational = author.organizationalDomain();
        if (!DomainNames.isWithin(domain, organizational)) {
            return false;
        }
        TreeWalk walk = TreeWalk.from(domain, dns);
        complete &= walk.complete();
        return walk.organizationalDomain().equals(organizational);
    }
}
