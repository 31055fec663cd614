package dev.oneshot.local.stack;

import dev.oneshot.ingest.authentication.DnsResolver;
import dev.oneshot.ingest.authentication.dkim.DkimVerifier;
import dev.oneshot.ingest.authentication.dns.Dns;
import dev.oneshot.ingest.authentication.dns.Dns.Answer;
import dev.oneshot.ingest.authentication.dns.DomainNames;
import dev.oneshot.ingest.authentication.dns.TagList;
import dev.oneshot.ingest.authentication.spf.SpfCheck;
import dev.oneshot.ingest.authentication.spf.SpfException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.ReverseMap;

/**
 * Reads the records of a mail domain and says of each whether it is right, missing or wrong: {@code docs/dns.md}. Asks
 * name servers, and judges SPF and DKIM, with the code by which ingest checks mail.
 */
final class DnsCheck {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration RUN_TIMEOUT = Duration.ofMinutes(10);
    private static final long CACHE_BYTES = 1024 * 1024;
    private static final int RSA_BITS = 2048;
    private static final Set<String> FAULTS = Set.of("missing", "wrong", "unknown");
    private static final String SPF_VERSION = "v=spf1";
    /** Reserved addresses in all parts of the address space, from which no one may send. */
    private static final List<String> STRANGERS =
            List.of("0.0.0.0", "127.255.255.254", "169.254.255.254", "255.255.255.255", "2001:2::", "ffff::");

    private static final String MAILTO = "mailto:[^\\s,;]+@[^\\s,;]+";
    private static final String MAILTOS = MAILTO + "(\\s*,\\s*" + MAILTO + ")*";
    private static final String POLICY = "(?i)none|quarantine|reject";
    /** The tags of each kind of record, with their values; the value of an optional tag may be empty. */
    private static final Map<String, String> DMARC =
            Map.of("p", POLICY, "sp", POLICY + '|', "np", POLICY + '|', "rua", MAILTOS + '|', "ruf", MAILTOS + '|');

    private static final Map<String, String> MTA_STS = Map.of("id", "[A-Za-z0-9]{1,32}");
    private static final Map<String, String> TLS_RPT = Map.of("rua", "(mailto:|https://)\\S.*");
    private static final Pattern IP_ADDRESS = Pattern.compile("[0-9.]+|.*:.*");

    private final Dns dns;
    private final Consumer<String> out;
    private int faults;

    DnsCheck(List<InetSocketAddress> servers, Consumer<String> out) {
        Dns resolver = new DnsResolver(servers, TIMEOUT, CACHE_BYTES).until(System.nanoTime() + RUN_TIMEOUT.toNanos());
        this.dns = (name, type) -> {
            Answer answer = resolver.query(name, type);
            if (answer instanceof Answer.Unknown) {
                throw new Fault("unknown", "no answer for " + type + " " + name);
            }
            return answer;
        };
        this.out = out;
    }

    /** The servers of {@code ONESHOT_DNS_SERVERS}, else those of this machine. */
    static List<InetSocketAddress> servers(String setting) {
        if (setting.isBlank()) {
            return ResolverConfig.getCurrentConfig().servers();
        }
        return Stream.of(setting.split(",", -1))
                .map(text -> {
                    try {
                        return DnsResolver.serverAddress(text);
                    } catch (IllegalArgumentException e) {
                        throw new StackException("ONESHOT_DNS_SERVERS: no address: " + text, e);
                    }
                })
                .toList();
    }

    /**
     * Checks all records.
     *
     * @param domainName may have U-labels
     * @param selector of the DKIM key; empty if mail is not signed
     * @return how many are missing, wrong or unknown
     */
    int run(String domainName, String selector) {
        String domain = canonical(domainName);
        String key = selector.isEmpty() ? "" : canonical(selector + "._domainkey." + domain);
        check("MX " + domain, () -> mailServers(domain)).forEach(this::mailServer);
        check("SPF " + domain, () -> spf(domain));
        if (key.isEmpty()) {
            report("skipped", "DKIM", "name the selector after the domain");
        } else {
            check("DKIM " + key, () -> dkim(key));
        }
        policy("DMARC", "_dmarc." + domain, "DMARC1", DMARC);
        if (policy("MTA-STS", "_mta-sts." + domain, "STSv1", MTA_STS)) {
            String host = "mta-sts." + domain;
            check("MTA-STS host " + host, () -> addresses(host));
        }
        policy("TLS-RPT", "_smtp._tls." + domain, "TLSRPTv1", TLS_RPT);
        return faults;
    }

    private static String canonical(String name) {
        return DomainNames.canonical(name).orElseThrow(() -> new StackException("no domain name: " + name));
    }

    /** Why a record is not right. */
    private static final class Fault extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final String verdict;

        Fault(String verdict, String text) {
            super(text);
            this.verdict = verdict;
        }
    }

    private static void require(boolean right, String verdict, String text) {
        if (!right) {
            throw new Fault(verdict, text);
        }
    }

    /** Returns the values of a record if it is right, else nothing. */
    private List<String> check(String what, Supplier<List<String>> record) {
        try {
            List<String> values = record.get();
            report("ok", what, String.join(", ", values));
            return values;
        } catch (Fault fault) {
            report(fault.verdict, what, String.valueOf(fault.getMessage()));
            return List.of();
        }
    }

    private List<String> mailServers(String domain) {
        List<String> hosts = found(domain, Dns.Type.MX);
        require(!hosts.isEmpty(), "missing", "mail for the domain finds no server");
        require(!hosts.contains("."), "wrong", "a null MX means that the domain accepts no mail (RFC 7505)");
        return hosts;
    }

    private void mailServer(String host) {
        check("MX host " + host, () -> {
                    boolean isAddress = IP_ADDRESS.matcher(host).matches();
                    require(!isAddress, "wrong", "is an IP address, which RFC 5321 section 5.1 forbids");
                    require(found(host, Dns.Type.CNAME).isEmpty(), "wrong", "is an alias, which RFC 5321 forbids");
                    return addresses(host);
                })
                .forEach(address -> check("PTR " + address, () -> reverse(host, address)));
    }

    private List<String> addresses(String host) {
        List<String> addresses = Stream.of(Dns.Type.A, Dns.Type.AAAA)
                .flatMap(type -> found(host, type).stream())
                .toList();
        require(!addresses.isEmpty(), "missing", "no A or AAAA record");
        return addresses;
    }

    private List<String> reverse(String host, String address) {
        List<String> names =
                found(ReverseMap.fromAddress(InetAddress.ofLiteral(address)).toString(), Dns.Type.PTR);
        require(!names.isEmpty(), "missing", "large providers reject mail from a server without a name");
        boolean named = names.stream().anyMatch(host::equalsIgnoreCase);
        require(named, "wrong", "is " + String.join(", ", names) + ", not " + host);
        return List.of(host);
    }

    private List<String> spf(String domain) {
        List<String> records = found(domain, Dns.Type.TXT).stream()
                .filter(text -> text.regionMatches(true, 0, SPF_VERSION, 0, SPF_VERSION.length()))
                .toList();
        require(!records.isEmpty(), "missing", "no TXT record " + SPF_VERSION);
        STRANGERS.forEach(client -> requireFailure(domain, client));
        return records;
    }

    /** No term but the last matches a stranger, so each is evaluated. */
    private void requireFailure(String domain, String client) {
        try {
            switch (SpfCheck.checkWithReason(dns, InetAddress.ofLiteral(client), domain, "postmaster", domain)) {
                case FAIL, SOFTFAIL -> {}
                case PASS -> throw new Fault("wrong", "lets anyone send, such as " + client);
                case NONE, NEUTRAL, TEMPERROR, PERMERROR -> throw new Fault("wrong", "does not end with -all or ~all");
            }
        } catch (SpfException e) {
            throw new Fault("wrong", e.getMessage() + " (evaluated for " + client + ")");
        }
    }

    private List<String> dkim(String name) {
        int records = found(name, Dns.Type.TXT).size();
        require(records == 1, "missing", records == 0 ? "no key" : "several keys");
        try {
            if (!(DkimVerifier.publishedKey(name, dns) instanceof RSAPublicKey rsa)) {
                return List.of("an Ed25519 key");
            }
            String text = "an RSA key of " + rsa.getModulus().bitLength() + " bits";
            require(rsa.getModulus().bitLength() >= RSA_BITS, "warning", text + ", which should have " + RSA_BITS);
            return List.of(text);
        } catch (GeneralSecurityException e) {
            throw new Fault("wrong", String.valueOf(e.getMessage()));
        }
    }

    /** Checks the one TXT record of a version; returns whether it is right. */
    private boolean policy(String what, String name, String version, Map<String, String> tags) {
        List<String> right = check(what + " " + name, () -> {
            List<String> records = found(name, Dns.Type.TXT).stream()
                    .filter(text -> TagList.of(text).beginsWith("v", version))
                    .toList();
            require(!records.isEmpty(), "missing", "no TXT record v=" + version);
            require(records.size() == 1, "missing", "several records count as none");
            String record = records.getFirst();
            TagList list = TagList.of(record);
            require(list.isValid(), "wrong", "not a tag list, or a tag occurs twice: " + record);
            String invalid = tags.keySet().stream()
                    .filter(tag -> !list.get(tag).matches(tags.get(tag)))
                    .sorted()
                    .collect(Collectors.joining("=, "));
            require(invalid.isEmpty(), "wrong", "invalid or missing " + invalid + "=: " + record);
            return records;
        });
        return !right.isEmpty();
    }

    private List<String> found(String name, Dns.Type type) {
        return dns.query(name, type) instanceof Answer.Found found ? found.values() : List.of();
    }

    private void report(String verdict, String what, String text) {
        if (FAULTS.contains(verdict)) {
            faults++;
        }
        out.accept("%-8s %s: %s".formatted(verdict, what, text));
    }
}
