package dev.oneshot.ingest.authentication;

import dev.oneshot.authentication.dkim.DkimResult;
import dev.oneshot.authentication.dmarc.DmarcResult;
import dev.oneshot.authentication.spf.SpfResult;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The results of SPF, DKIM and DMARC for one message.
 *
 * @param dkim of each signature; a result of {@code none} if the message has none
 * @param authorDomain of the From field; empty if it has none
 */
record Verdicts(List<Spf> spf, List<DkimResult> dkim, DmarcResult dmarc, String authorDomain) {

    /** The checked identity of SPF. */
    enum Identity {
        MAILFROM,
        HELO
    }

    /**
     * The result for an identity.
     *
     * @param domain any text
     */
    record Spf(Identity identity, SpfResult result, String domain) {}

    /** For logs: {@code spf=pass dkim=pass,fail dmarc=pass}, with the SPF result that DMARC uses. */
    String summary() {
        String signatures = dkim.stream().map(each -> word(each.verdict())).collect(Collectors.joining(","));
        return "spf=" + word(spf.getFirst().result()) + " dkim=" + signatures + " dmarc=" + word(dmarc.verdict());
    }

    /** A result as RFC 8601 writes it. */
    static String word(Enum<?> result) {
        return result.name().toLowerCase(Locale.ROOT);
    }
}
