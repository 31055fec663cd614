package dev.oneshot.ingest.authentication;

import dev.oneshot.authentication.dkim.DkimResult;
import dev.oneshot.authentication.dkim.DkimVerifier;
import dev.oneshot.authentication.dkim.HeaderSection;
import dev.oneshot.authentication.dmarc.Dmarc;
import dev.oneshot.authentication.dmarc.DmarcResult;
import dev.oneshot.authentication.dns.Dns;
import dev.oneshot.authentication.dns.DomainNames;
import dev.oneshot.authentication.resolver.DnsResolver;
import dev.oneshot.authentication.spf.SpfCheck;
import dev.oneshot.authentication.spf.SpfResult;
import dev.oneshot.ingest.authentication.Verdicts.Identity;
import dev.oneshot.ingest.authentication.Verdicts.Spf;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Origin;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.data.MessageOctets;
import dev.oneshot.message.Mailboxes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Checks SPF, DKIM and DMARC of messages. Methods block for a bounded time unless they say otherwise. */
public final class Authenticator {

    // The look-behind keeps the time linear.
    private static final Pattern FOLD = Pattern.compile("(?<!\r)\r*+\n[ \t]");

    private final DnsResolver resolver;
    private final Duration timeout;
    private final InstantSource clock;

    public Authenticator(DnsResolver resolver, Duration timeout, InstantSource clock) {
        this.resolver = resolver;
        this.timeout = timeout;
        this.clock = clock;
    }

    Duration timeout() {
        return timeout;
    }

    /** SPF of the sender in MAIL, if there is one, then of the name in HELO (RFC 7208 §2.3, §2.4). */
    List<Spf> spf(Origin origin, ReversePath reversePath) {
        return spf(origin, reversePath, resolver.until(System.nanoTime() + timeout.toNanos()));
    }

    /** The same without waiting; empty if an answer of DNS is not kept. */
    Optional<List<Spf>> spfOfKeptAnswers(Origin origin, ReversePath reversePath) {
        DnsResolver.KeptAnswers dns = resolver.kept();
        List<Spf> results = spf(origin, reversePath, dns);
        return dns.isComplete() ? Optional.of(results) : Optional.empty();
    }

    private static List<Spf> spf(Origin origin, ReversePath reversePath, Dns dns) {
        String sender = reversePath instanceof ReversePath.Sender(Mailbox mailbox) ? mailbox.localPart() : "";
        return unknownSpf(origin, reversePath).stream()
                .map(unknown -> {
                    String localPart = unknown.identity() == Identity.MAILFROM ? sender : "";
                    SpfResult result = SpfCheck.check(
                            dns, origin.client().address(), origin.helloName(), localPart, unknown.domain());
                    return new Spf(unknown.identity(), result, unknown.domain());
                })
                .toList();
    }

    /** The identities that {@link #spf} checks, each with a temporary error. */
    static List<Spf> unknownSpf(Origin origin, ReversePath reversePath) {
        Spf helo = new Spf(Identity.HELO, SpfResult.TEMPERROR, origin.helloName());
        return switch (reversePath) {
            case ReversePath.Null _ -> List.of(helo);
            case ReversePath.Local _ -> List.of(new Spf(Identity.MAILFROM, SpfResult.TEMPERROR, ""), helo);
            case ReversePath.Sender sender ->
                List.of(new Spf(Identity.MAILFROM, SpfResult.TEMPERROR, domain(sender.mailbox())), helo);
        };
    }

    /** The domain in A-labels. */
    private static String domain(Mailbox sender) {
        return DomainNames.canonical(sender.domain()).orElse(sender.domain());
    }

    /**
     * Verifies the signatures, and evaluates all results.
     *
     * @param deadline in {@link System#nanoTime}; nothing is looked up after it
     */
    Verdicts verdicts(MessageOctets message, List<Spf> spf, long deadline) {
        // The name servers of signers, who may be forgers, cannot use up the time for the author's policy.
        Dns keys = resolver.until(deadline - timeout.toNanos() / 4);
        Dns policies = resolver.until(deadline);
        return verdicts(message, spf, keys, policies);
    }

    /** The same without waiting; empty if an answer of DNS is not kept. */
    Optional<Verdicts> verdictsOfKeptAnswers(MessageOctets message, List<Spf> spf) {
        DnsResolver.KeptAnswers dns = resolver.kept();
        Verdicts verdicts = verdicts(message, spf, dns, dns);
        return dns.isComplete() ? Optional.of(verdicts) : Optional.empty();
    }

    private Verdicts verdicts(MessageOctets message, List<Spf> spf, Dns keys, Dns policies) {
        List<ByteBuffer> pieces = message.pieces();
        ByteBuffer first = pieces.getFirst();
        int end = first.arrayOffset() + first.limit();
        HeaderSection header = HeaderSection.read(first.array(), first.arrayOffset() + message.traceLength(), end);
        List<ByteBuffer> body = new ArrayList<>(pieces);
        body.set(0, ByteBuffer.wrap(first.array(), header.bodyStart(), end - header.bodyStart()));
        List<DkimResult> signatures = new DkimVerifier(header, body, keys, clock.instant()).verify();
        List<DkimResult> dkim =
                signatures.isEmpty() ? List.of(DkimResult.unnamed(DkimResult.Verdict.NONE, "")) : signatures;
        String authorDomain = authorDomain(header);
        DmarcResult dmarc = authorDomain.isEmpty()
                ? new DmarcResult(DmarcResult.Verdict.PERMERROR, "")
                : Dmarc.evaluate(authorDomain, identifiers(spf, dkim), policies);
        return new Verdicts(spf, dkim, dmarc, authorDomain);
    }

    private static Dmarc.Identifiers identifiers(List<Spf> spf, List<DkimResult> dkim) {
        List<String> unknown = new ArrayList<>(senders(spf, SpfResult.TEMPERROR));
        unknown.addAll(signers(dkim, DkimResult.Verdict.TEMPERROR));
        return new Dmarc.Identifiers(senders(spf, SpfResult.PASS), signers(dkim, DkimResult.Verdict.PASS), unknown);
    }

    private static List<String> senders(List<Spf> spf, SpfResult result) {
        return spf.getFirst().result() == result ? List.of(spf.getFirst().domain()) : List.of();
    }

    private static List<String> signers(List<DkimResult> dkim, DkimResult.Verdict verdict) {
        return dkim.stream()
                .filter(each -> each.verdict() == verdict)
                .map(DkimResult::domain)
                .toList();
    }

    /**
     * The domain of the mailbox that readers see; empty unless there is one From field with an address. Also empty where
     * readers may see another mailbox: in a header section with lines that are no fields, and with a second {@code @}.
     */
    private static String authorDomain(HeaderSection header) {
        List<HeaderSection.Field> from = header.named("from");
        if (from.size() != 1 || !header.isWellFormed()) {
            return "";
        }
        // Unfolded, as readers see it.
        String unfolded = FOLD.matcher(from.getFirst().value()).replaceAll(" ").strip();
        String address = Mailboxes.first(unfolded.getBytes(StandardCharsets.ISO_8859_1));
        int at = address.lastIndexOf('@');
        boolean isAmbiguous = !address.startsWith("\"") && address.indexOf('@') < at;
        return isAmbiguous
                ? ""
                : DomainNames.canonical(address.substring(at + 1)).orElse("");
    }
}
