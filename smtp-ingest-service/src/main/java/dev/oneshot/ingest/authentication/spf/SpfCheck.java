package dev.oneshot.ingest.authentication.spf;

import dev.oneshot.ingest.authentication.dns.Dns;
import dev.oneshot.ingest.authentication.dns.Dns.Answer;
import dev.oneshot.ingest.authentication.dns.DomainNames;
import dev.oneshot.ingest.authentication.spf.SpfRecord.Directive;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a client may use a domain (RFC 7208 §4). Explanations are not read, as no mail is rejected. Bounded by
 * ten terms that ask DNS, two void look-ups and ten hosts of one MX or PTR (§4.6.4).
 */
public final class SpfCheck {

    private static final int TERMS_MAX = 10;
    private static final int VOIDS_MAX = 2;
    private static final int HOSTS_MAX = 10;

    private final Dns dns;
    private final Macros macros;
    private final InetAddress client;
    // A record may name it any number of times.
    private final Map<String, String> validatedNames = new HashMap<>();
    private int terms;
    private int voids;

    private SpfCheck(Dns dns, Macros macros) {
        this.dns = dns;
        this.macros = macros;
        this.client = macros.client();
    }

    /**
     * The function {@code check_host}.
     *
     * @param helo the client's name in HELO
     * @param localPart of the sender; {@code postmaster} if it has none
     * @param domain of the sender, or the name in HELO; of any text
     */
    public static SpfResult check(Dns dns, InetAddress client, String helo, String localPart, String domain) {
        String local = localPart.isEmpty() ? "postmaster" : localPart;
        SpfCheck check = new SpfCheck(dns, new Macros(client, helo, local, domain));
        try {
            return check.host(domain);
        } catch (SpfException e) {
            return e.result();
        }
    }

    private SpfResult host(String name) throws SpfException {
        String domain = DomainNames.canonical(name).orElse("");
        if (domain.indexOf('.') < 0) {
            return SpfResult.NONE;
        }
        String text = text(domain);
        if (text == null) {
            return SpfResult.NONE;
        }
        SpfRecord record = SpfRecord.parse(text);
        for (Directive directive : record.directives()) {
            if (directive.mechanism().asksDns()) {
                countTerm();
            }
            if (matches(directive, domain)) {
                return directive.result();
            }
        }
        if (record.redirect() == null) {
            return SpfResult.NEUTRAL;
        }
        countTerm();
        SpfResult redirected = host(expand(record.redirect(), domain));
        return redirected == SpfResult.NONE ? SpfResult.PERMERROR : redirected;
    }

    private @Nullable String text(String domain) throws SpfException {
        List<String> texts = values(domain, Dns.Type.TXT, false).stream()
                .filter(text -> text.regionMatches(true, 0, SpfRecord.VERSION, 0, SpfRecord.VERSION.length()))
                .filter(text ->
                        text.length() == SpfRecord.VERSION.length() || text.charAt(SpfRecord.VERSION.length()) == ' ')
                .toList();
        if (texts.size() > 1) {
            throw SpfException.permanent();
        }
        return texts.isEmpty() ? null : texts.getFirst();
    }

    private boolean matches(Directive directive, String domain) throws SpfException {
        return switch (directive.mechanism()) {
            case ALL -> true;
            case IP4, IP6 -> directive.network() != null && isWithin(directive.network(), directive);
            case INCLUDE ->
                switch (host(target(directive, domain))) {
                    case PASS -> true;
                    case FAIL, SOFTFAIL, NEUTRAL -> false;
                    case TEMPERROR -> throw new SpfException(SpfResult.TEMPERROR);
                    case PERMERROR, NONE -> throw SpfException.permanent();
                };
            case A -> hostMatches(target(directive, domain), directive);
            case MX -> mxMatches(directive, domain);
            case PTR -> {
                String target = target(directive, domain);
                yield !validated(target, false).isEmpty();
            }
            case EXISTS -> !values(target(directive, domain), Dns.Type.A, true).isEmpty();
        };
    }

    private boolean mxMatches(Directive directive, String domain) throws SpfException {
        List<String> hosts = values(target(directive, domain), Dns.Type.MX, true);
        if (hosts.size() > HOSTS_MAX) {
            throw SpfException.permanent();
        }
        for (String host : hosts) {
            if (hostMatches(host, directive)) {
                return true;
            }
        }
        return false;
    }

    private boolean hostMatches(String host, Directive directive) throws SpfException {
        for (String address : values(host, addresses(), true)) {
            if (isWithin(InetAddress.ofLiteral(address), directive)) {
                return true;
            }
        }
        return false;
    }

    private Dns.Type addresses() {
        return client instanceof Inet4Address ? Dns.Type.A : Dns.Type.AAAA;
    }

    private boolean isWithin(InetAddress network, Directive directive) {
        byte[] ours = network.getAddress();
        byte[] theirs = client.getAddress();
        int prefix = client instanceof Inet4Address ? directive.prefix4() : directive.prefix6();
        return ours.length == theirs.length
                && new BigInteger(1, ours)
                                .xor(new BigInteger(1, theirs))
                                .shiftRight(ours.length * Byte.SIZE - prefix)
                                .signum()
                        == 0;
    }

    private String target(Directive directive, String domain) throws SpfException {
        return directive.domainSpec() == null ? domain : expand(directive.domainSpec(), domain);
    }

    private String expand(String domainSpec, String domain) throws SpfException {
        return macros.expand(
                domainSpec,
                domain,
                () -> validatedNames.computeIfAbsent(domain, current -> {
                    String name = validated(current, true);
                    return name.isEmpty() ? "unknown" : name;
                }));
    }

    /**
     * The client's name within a domain, validated (RFC 7208 §5.5); empty if there is none or it is not known.
     *
     * @param orAny whether a name of another domain will do
     */
    private String validated(String domain, boolean orAny) {
        if (!(dns.query(macros.reverseName(), Dns.Type.PTR) instanceof Answer.Found names)) {
            return "";
        }
        String found = "";
        for (String name :
                names.values().subList(0, Math.min(HOSTS_MAX, names.values().size()))) {
            String host = name.toLowerCase(Locale.ROOT);
            boolean within = DomainNames.isWithin(host, domain.toLowerCase(Locale.ROOT));
            boolean better = host.equalsIgnoreCase(domain) || found.isEmpty();
            if ((within || (orAny && found.isEmpty())) && better && isClient(host)) {
                found = host;
            }
        }
        return found;
    }

    private boolean isClient(String host) {
        return dns.query(host, addresses()) instanceof Answer.Found found
                && found.values().stream()
                        .anyMatch(address -> InetAddress.ofLiteral(address).equals(client));
    }

    private List<String> values(String name, Dns.Type type, boolean counts) throws SpfException {
        return switch (dns.query(name, type)) {
            case Answer.Found found -> found.values();
            case Answer.None _ -> {
                if (counts && ++voids > VOIDS_MAX) {
                    throw SpfException.permanent();
                }
                yield List.of();
            }
            case Answer.Unknown _ -> throw new SpfException(SpfResult.TEMPERROR);
        };
    }

    private void countTerm() throws SpfException {
        if (++terms > TERMS_MAX) {
            throw SpfException.permanent();
        }
    }
}
