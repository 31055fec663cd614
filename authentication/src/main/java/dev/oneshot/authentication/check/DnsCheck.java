package dev.oneshot.authentication.check;

import dev.oneshot.authentication.dkim.DkimVerifier;
import dev.oneshot.authentication.dns.Dns;
import dev.oneshot.authentication.dns.Dns.Answer;
import dev.oneshot.authentication.dns.DomainNames;
import dev.oneshot.authentication.dns.TagList;
import dev.oneshot.authentication.resolver.DnsResolver;
import dev.oneshot.authentication.spf.SpfCheck;
import dev.oneshot.authentication.spf.SpfException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.xbill.DNS.ReverseMap;

/**
 * Checks the DNS records of a mail domain ({@code docs/dns.md}) and prints a line for each. The resolver and the checks of
 * SPF and DKIM are those of ingest.
 */
public final class DnsCheck {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration RUN_TIMEOUT = Duration.ofMinutes(10);
    private static final long CACHE_BYTES = 1024 * 1024;
    private static final int RSA_BITS = 2048;
    private static final Set<String> FAULTS = Set.of("missing", "wrong", "unknown");
    private static final String SPF_VERSION = "v=spf1";
    /** Reserved addresses in all parts of the address space, from which no one may send. */
    private static final List<String> RESERVED_ADDRESSES =
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
                throw new NoAnswerException(type + " " + name);
            }
            return answer;
        };
        this.out = out;
    }

    /**
     * Checks one domain. Exit code 1: a record is missing, wrong or unknown.
     *
     * @param arguments the domain, and the selector of its DKIM key if mail is signed
     */
    public static void main(String[] arguments) {
        int faults = 1;
        try {
            String servers = System.getenv().getOrDefault("ONESHOT_DNS_SERVERS", "");
            DnsCheck check = new DnsCheck(servers(servers), System.out::println);
            faults = check.run(arguments[0], arguments.length > 1 ? arguments[1] : "");
        } catch (IllegalArgumentException e) {
            System.err.println("oneshot: " + e.getMessage());
        }
        System.exit(faults == 0 ? 0 : 1);
    }

    /** The servers of {@code ONESHOT_DNS_SERVERS}, else those of this machine. */
    static List<InetSocketAddress> servers(String setting) {
        if (setting.isBlank()) {
            return DnsResolver.serversOfThisMachine();
        }
        try {
            return Stream.of(setting.split(",", -1))
                    .map(DnsResolver::serverAddress)
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("ONESHOT_DNS_SERVERS: " + e.getMessage(), e);
        }
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
        check(() -> mailServers(domain).forEach(host -> check(() -> mailServer(host))));
        check(() -> spf(domain));
        if (key.isEmpty()) {
            report("skipped", "DKIM", "name the selector after the domain");
        } else {
            check(() -> dkim(key));
        }
        check(() -> policy("DMARC", "_dmarc." + domain, "DMARC1", DMARC));
        check(() -> {
            policy("MTA-STS", "_mta-sts." + domain, "STSv1", MTA_STS);
            if (!found("_mta-sts." + domain, Dns.Type.TXT).isEmpty()) {
                hasAddress("MTA-STS host", "mta-sts." + domain);
            }
        });
        check(() -> policy("TLS-RPT", "_smtp._tls." + domain, "TLSRPTv1", TLS_RPT));
        return faults;
    }

    private static String canonical(String name) {
        return DomainNames.canonical(name).orElseThrow(() -> new IllegalArgumentException("no domain name: " + name));
    }

    /** A missing answer ends only the check that needs it. */
    private void check(Runnable records) {
        try {
            records.run();
        } catch (NoAnswerException e) {
            report("unknown", String.valueOf(e.getMessage()), "no answer");
        }
    }

    /** The name servers gave no answer. */
    private static final class NoAnswerException extends RuntimeException {

        private static final long serialVersionUID = 1;

        NoAnswerException(String message) {
            super(message);
        }
    }

    private List<String> mailServers(String domain) {
        List<String> hosts = found(domain, Dns.Type.MX);
        if (hosts.isEmpty()) {
            report("missing", "MX " + domain, "mail for the domain finds no server");
        } else if (hosts.contains(".")) {
            report("wrong", "MX " + domain, "a null MX means that the domain accepts no mail (RFC 7505)");
        } else {
            report("ok", "MX " + domain, String.join(", ", hosts));
        }
        return hosts.stream().filter(host -> !host.equals(".")).toList();
    }

    private void mailServer(String host) {
        if (IP_ADDRESS.matcher(host).matches()) {
            report("wrong", "MX host " + host, "is an IP address, which RFC 5321 section 5.1 forbids");
            return;
        }
        if (!found(host, Dns.Type.CNAME).isEmpty()) {
            report("wrong", "MX host " + host, "is an alias, which RFC 5321 forbids");
        }
        for (String address : hasAddress("MX host", host)) {
            reverse(host, address);
        }
    }

    private List<String> hasAddress(String what, String host) {
        List<String> addresses = Stream.of(Dns.Type.A, Dns.Type.AAAA)
                .flatMap(type -> found(host, type).stream())
                .toList();
        if (addresses.isEmpty()) {
            report("missing", what + " " + host, "no A or AAAA record");
        } else {
            report("ok", what + " " + host, String.join(", ", addresses));
        }
        return addresses;
    }

    private void reverse(String host, String address) {
        String what = "PTR " + address;
        List<String> names =
                found(ReverseMap.fromAddress(InetAddress.ofLiteral(address)).toString(), Dns.Type.PTR);
        if (names.isEmpty()) {
            report("missing", what, "large providers reject mail from a server without a name");
        } else if (names.stream().noneMatch(host::equalsIgnoreCase)) {
            report("wrong", what, "is " + String.join(", ", names) + ", not " + host);
        } else {
            report("ok", what, host);
        }
    }

    private void spf(String domain) {
        List<String> records = found(domain, Dns.Type.TXT).stream()
                .filter(text -> text.regionMatches(true, 0, SPF_VERSION, 0, SPF_VERSION.length()))
                .toList();
        if (records.isEmpty()) {
            report("missing", "SPF " + domain, "no TXT record " + SPF_VERSION);
            return;
        }
        RESERVED_ADDRESSES.stream()
                .flatMap(client -> spfFault(domain, client).stream())
                .findFirst()
                .ifPresentOrElse(
                        fault -> report("wrong", "SPF " + domain, fault),
                        () -> report("ok", "SPF " + domain, records.getFirst()));
    }

    /**
     * What is wrong with the SPF record; empty if a client that may not send fails. Only {@code all} matches such a client, so every
     * term is evaluated.
     */
    private Optional<String> spfFault(String domain, String client) {
        try {
            return switch (SpfCheck.checkWithReason(dns, InetAddress.ofLiteral(client), domain, "postmaster", domain)) {
                case FAIL, SOFTFAIL -> Optional.empty();
                case PASS -> Optional.of("lets anyone send, such as " + client);
                case NONE, NEUTRAL, TEMPERROR, PERMERROR -> Optional.of("does not end with -all or ~all");
            };
        } catch (SpfException e) {
            return Optional.of(e.getMessage() + " (evaluated for " + client + ")");
        }
    }

    private void dkim(String name) {
        String what = "DKIM " + name;
        int records = found(name, Dns.Type.TXT).size();
        if (records != 1) {
            report("missing", what, records == 0 ? "no key" : "several keys");
            return;
        }
        try {
            PublicKey key = DkimVerifier.publishedKey(name, dns);
            int bits = key instanceof RSAPublicKey rsa ? rsa.getModulus().bitLength() : RSA_BITS;
            String text = key instanceof RSAPublicKey ? "an RSA key of " + bits + " bits" : "an Ed25519 key";
            if (bits < RSA_BITS) {
                report("warning", what, text + ", which should have " + RSA_BITS);
            } else {
                report("ok", what, text);
            }
        } catch (GeneralSecurityException e) {
            report("wrong", what, String.valueOf(e.getMessage()));
        }
    }

    /** Checks the one TXT record of a version. */
    private void policy(String kind, String name, String version, Map<String, String> tags) {
        String what = kind + " " + name;
        List<String> records = found(name, Dns.Type.TXT).stream()
                .filter(text -> new TagList(text).beginsWith("v", version))
                .toList();
        if (records.size() != 1) {
            report("missing", what, records.isEmpty() ? "no TXT record v=" + version : "several records count as none");
            return;
        }
        String record = records.getFirst();
        TagList list = new TagList(record);
        List<String> invalid = tags.keySet().stream()
                .filter(tag -> !list.get(tag).matches(tags.get(tag)))
                .sorted()
                .toList();
        if (!list.isValid()) {
            report("wrong", what, "not a tag list, or a tag occurs twice: " + record);
        } else if (!invalid.isEmpty()) {
            report("wrong", what, "invalid or missing " + String.join("=, ", invalid) + "=: " + record);
        } else {
            report("ok", what, record);
        }
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
