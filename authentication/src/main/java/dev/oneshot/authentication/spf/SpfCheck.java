package dev.oneshot.authentication.spf;

import static dev.oneshot.authentication.spf.SpfException.require;

import dev.oneshot.authentication.dns.Dns;
import dev.oneshot.authentication.dns.Dns.Answer;
import dev.oneshot.authentication.dns.DomainNames;
import dev.oneshot.authentication.spf.SpfRecord.Directive;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Checks whether a client may use a domain (RFC 7208 §4). Explanations are not read, as no mail is rejected. Bounded by
 * ten terms that query DNS, two void look-ups and ten hosts of one MX or PTR (§4.6.4).
 */
public final class SpfCheck {

    private static final Pattern VERSION = Pattern.compile("(?i)v=spf1(?: |\\z)");
    private static final int TERMS_MAX = 10;
    private static final int VOIDS_MAX = 2;
    private static final int HOSTS_MAX = 10;
    private static final int IPV4_BYTES = 4;
    private static final BigInteger IPV4_MAPPED = BigInteger.valueOf(0xFFFF_0000_0000L);

    private final Dns dns;
    private final Macros macros;
    private final InetAddress client;
    // A record may use the macro p any number of times.
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
     * @param domain of the sender, or the name in HELO; any text
     */
    public static SpfResult check(Dns dns, InetAddress client, String helo, String localPart, String domain) {
        try {
            return checkWithReason(dns, client, helo, localPart, domain);
        } catch (SpfException e) {
            return e.result();
        }
    }

    /**
     * The same, with the reason of an error.
     *
     * @throws SpfException instead of a result that is an error
     */
    public static SpfResult checkWithReason(Dns dns, InetAddress client, String helo, String localPart, String domain) {
        if (domain.startsWith("[")) {
            // An address literal (RFC 7208 §2.3, §2.4).
            return SpfResult.NONE;
        }
        String local = localPart.isEmpty() ? "postmaster" : localPart;
        return new SpfCheck(dns, new Macros(client, helo, local, domain)).host(domain);
    }

    /** The record among the TXT records of a domain, if it has one. */
    private record Published(Optional<SpfRecord> record) {}

    private static Published published(String domain, List<String> texts) {
        List<String> records =
                texts.stream().filter(text -> VERSION.matcher(text).lookingAt()).toList();
        require(records.size() <= 1, "several records of " + domain);
        return new Published(records.stream().map(SpfRecord::parse).findFirst());
    }

    private SpfResult host(String name) {
        // Macros make labels of any characters, which are looked up. A malformed name has no records (RFC 7208 §4.3).
        String domain = DomainNames.canonical(name).orElseGet(() -> DomainNames.withoutLastDot(name));
        Answer answer = domain.indexOf('.') < 0 ? new Answer.None(false) : dns.query(domain, Dns.Type.TXT);
        Optional<SpfRecord> published = switch (answer) {
            case Answer.Found found ->
                found.parsed(Published.class, texts -> published(domain, texts)).record();
            case Answer.None _ -> Optional.empty();
            case Answer.Unknown _ -> throw new SpfException(SpfResult.TEMPERROR, "no answer for " + domain);
        };
        if (published.isEmpty()) {
            return SpfResult.NONE;
        }
        SpfRecord record = published.get();
        for (Directive directive : record.directives()) {
            if (directive.mechanism().queriesDns()) {
                countTerm();
            }
            if (matches(directive, domain)) {
                return directive.result();
            }
        }
        if (record.redirect() == null || macros.hasNoName(record.redirect())) {
            return SpfResult.NEUTRAL;
        }
        countTerm();
        String target = expand(record.redirect(), domain);
        SpfResult redirected = host(target);
        require(redirected != SpfResult.NONE, "no record of " + target);
        return redirected;
    }

    private boolean matches(Directive directive, String domain) {
        if (macros.hasNoName(directive.argument())) {
            return false;
        }
        String target = directive.argument().isEmpty() ? domain : expand(directive.argument(), domain);
        return switch (directive.mechanism()) {
            case ALL -> true;
            case IP4, IP6 -> isWithin(target, directive);
            case INCLUDE ->
                switch (host(target)) {
                    case PASS -> true;
                    case FAIL, SOFTFAIL, NEUTRAL -> false;
                    case NONE, TEMPERROR, PERMERROR ->
                        throw new SpfException(SpfResult.PERMERROR, "no record of " + target);
                };
            case A -> hostMatches(target, directive);
            case MX -> {
                List<String> hosts = values(target, Dns.Type.MX);
                require(hosts.size() <= HOSTS_MAX, "more than " + HOSTS_MAX + " MX of " + target);
                yield hosts.stream().anyMatch(host -> hostMatches(host, directive));
            }
            case PTR -> validated(target, false).isPresent();
            case EXISTS -> !values(target, Dns.Type.A).isEmpty();
        };
    }

    private boolean hostMatches(String host, Directive directive) {
        return values(host, addresses()).stream().anyMatch(address -> isWithin(address, directive));
    }

    private Dns.Type addresses() {
        return client instanceof Inet4Address ? Dns.Type.A : Dns.Type.AAAA;
    }

    /** A client is only within networks of its own IP version (RFC 7208 §5.6); an IPv4-mapped network is one of IPv6. */
    private boolean isWithin(String network, Directive directive) {
        boolean isIpv6 = network.indexOf(':') >= 0;
        if (isIpv6 == client instanceof Inet4Address) {
            return false;
        }
        byte[] address = InetAddress.ofLiteral(network).getAddress();
        BigInteger ours = new BigInteger(1, address);
        // Of an IPv4-mapped address, InetAddress only has the last four octets.
        if (isIpv6 && address.length == IPV4_BYTES) {
            ours = ours.or(IPV4_MAPPED);
        }
        byte[] theirs = client.getAddress();
        int prefix = isIpv6 ? directive.prefix6() : directive.prefix4();
        BigInteger difference = ours.xor(new BigInteger(1, theirs));
        return difference.bitLength() <= theirs.length * Byte.SIZE - prefix;
    }

    private String expand(String domainSpec, String domain) {
        return macros.expand(
                domainSpec,
                domain,
                () -> validatedNames.computeIfAbsent(
                        domain, current -> validated(current, true).orElse("unknown")));
    }

    /**
     * The client's name within a domain, validated (RFC 7208 §5.5); empty if there is none or it is not known.
     *
     * @param orAny whether a name of another domain will do
     */
    private Optional<String> validated(String domain, boolean orAny) {
        String wanted = domain.toLowerCase(Locale.ROOT);
        List<String> names = dns.query(macros.reverseName(), Dns.Type.PTR).values();
        Optional<String> validated = Optional.empty();
        for (String name : names.subList(0, Math.min(HOSTS_MAX, names.size()))) {
            String host = name.toLowerCase(Locale.ROOT);
            boolean first = validated.isEmpty() && (orAny || DomainNames.isWithin(host, wanted));
            if ((first || host.equals(wanted)) && isClient(host)) {
                validated = Optional.of(host);
            }
        }
        return validated;
    }

    private boolean isClient(String host) {
        return dns.query(host, addresses()).values().stream()
                .anyMatch(address -> InetAddress.ofLiteral(address).equals(client));
    }

    private List<String> values(String name, Dns.Type type) {
        return switch (dns.query(name, type)) {
            case Answer.Found found -> found.values();
            case Answer.None _ -> {
                voids++;
                require(
                        voids <= VOIDS_MAX,
                        "more than " + VOIDS_MAX + " look-ups without records, the last of " + name);
                yield List.of();
            }
            case Answer.Unknown _ -> throw new SpfException(SpfResult.TEMPERROR, "no answer for " + name);
        };
    }

    private void countTerm() {
        terms++;
        require(terms <= TERMS_MAX, "more than " + TERMS_MAX + " terms that query DNS");
    }
}
