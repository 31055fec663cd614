package dev.oneshot.local.stack;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Lookup;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.ReverseMap;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/** Reads the records of a mail domain and says of each whether it is right, missing or wrong: {@code docs/dns.md}. */
final class DnsCheck {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int DNS_PORT = 53;
    private static final int RSA_BYTES_MIN = 160;
    private static final Pattern SPF_END = Pattern.compile(".* [-~]all|.* redirect=\\S+");
    private static final Pattern DMARC_POLICY =
            Pattern.compile(";\\s*p\\s*=\\s*(none|quarantine|reject)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern SERVER = Pattern.compile("\\[?([0-9A-Fa-f:.]+?)]?(?::(\\d{1,5}))?");

    private final Resolver resolver;
    private final Consumer<String> out;
    private int faults;

    DnsCheck(List<InetSocketAddress> servers, Consumer<String> out) {
        ExtendedResolver all =
                new ExtendedResolver(servers.stream().map(SimpleResolver::new).toArray(Resolver[]::new));
        all.setTimeout(TIMEOUT);
        this.resolver = all;
        this.out = out;
    }

    /** The servers of {@code ONESHOT_DNS_SERVERS}, else those of this machine. */
    static List<InetSocketAddress> servers(String setting) {
        if (setting.isBlank()) {
            return ResolverConfig.getCurrentConfig().servers();
        }
        return Stream.of(setting.split(",", -1))
                .map(text -> {
                    var parts = SERVER.matcher(text.strip());
                    if (!parts.matches()) {
                        throw new StackException("ONESHOT_DNS_SERVERS: no address: " + text);
                    }
                    int port = parts.group(2) == null ? DNS_PORT : Integer.parseInt(parts.group(2));
                    try {
                        return new InetSocketAddress(InetAddress.ofLiteral(parts.group(1)), port);
                    } catch (IllegalArgumentException e) {
                        throw new StackException("ONESHOT_DNS_SERVERS: no address: " + text, e);
                    }
                })
                .toList();
    }

    /**
     * Checks all records.
     *
     * @param selector of the DKIM key; empty if mail is not signed
     * @return how many are missing, wrong or unknown
     */
    int run(String domain, String selector) {
        check(() -> mailServers(domain).forEach(host -> check(() -> mailServer(host))));
        check(() -> spf(domain));
        if (selector.isEmpty()) {
            out.accept("skipped  DKIM: name the selector after the domain");
        } else {
            check(() -> dkim(selector + "._domainkey." + domain));
        }
        check(() -> policy("DMARC", "_dmarc." + domain, "v=DMARC1", DMARC_POLICY, "no valid p="));
        check(() -> {
            policy("MTA-STS", "_mta-sts." + domain, "v=STSv1;", Pattern.compile("id="), "no id=");
            if (!found("_mta-sts." + domain, Type.TXT).isEmpty()) {
                hasAddress("MTA-STS host", "mta-sts." + domain);
            }
        });
        check(() -> policy("TLS-RPT", "_smtp._tls." + domain, "v=TLSRPTv1;", Pattern.compile("rua="), "no rua="));
        return faults;
    }

    /** The rest of a check depends on the answer that is missing; the other checks do not. */
    private void check(Runnable records) {
        try {
            records.run();
        } catch (NoAnswerException e) {
            faults++;
            out.accept("unknown  " + e.getMessage());
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
        List<String> hosts = found(domain, Type.MX).stream()
                .map(record -> ((MXRecord) record).getTarget().toString(true))
                .toList();
        if (hosts.isEmpty()) {
            missing("MX " + domain, "mail for the domain finds no server");
        } else if (hosts.contains(".")) {
            wrong("MX " + domain, "a null MX says that the domain takes no mail");
        } else {
            right("MX " + domain, String.join(", ", hosts));
        }
        return hosts.stream().filter(host -> !host.equals(".")).toList();
    }

    private void mailServer(String host) {
        if (!found(host, Type.CNAME).isEmpty()) {
            wrong("MX host " + host, "is an alias, which RFC 5321 forbids");
        }
        for (InetAddress address : hasAddress("MX host", host)) {
            reverse(host, address);
        }
    }

    private List<InetAddress> hasAddress(String what, String host) {
        List<InetAddress> addresses = Stream.concat(
                        found(host, Type.A).stream().map(record -> ((ARecord) record).getAddress()),
                        found(host, Type.AAAA).stream().map(record -> ((AAAARecord) record).getAddress()))
                .toList();
        if (addresses.isEmpty()) {
            missing(what + " " + host, "no A or AAAA record");
        } else {
            right(
                    what + " " + host,
                    addresses.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", ")));
        }
        return addresses;
    }

    private void reverse(String host, InetAddress address) {
        String what = "PTR " + address.getHostAddress();
        List<String> names = found(ReverseMap.fromAddress(address), Type.PTR).stream()
                .map(record -> ((PTRRecord) record).getTarget().toString(true))
                .toList();
        if (names.isEmpty()) {
            missing(what, "large providers reject mail from a server without a name");
        } else if (names.stream().noneMatch(host::equalsIgnoreCase)) {
            wrong(what, "is " + String.join(", ", names) + ", not " + host);
        } else {
            right(what, host);
        }
    }

    private void spf(String domain) {
        List<String> records = texts(domain).stream()
                .filter(text -> text.equals("v=spf1") || text.startsWith("v=spf1 "))
                .toList();
        if (records.isEmpty()) {
            missing("SPF " + domain, "no TXT record v=spf1");
        } else if (records.size() > 1) {
            wrong("SPF " + domain, "several records, which counts as an error");
        } else if (!SPF_END.matcher(records.getFirst()).matches()) {
            wrong("SPF " + domain, "does not end with -all or ~all: " + records.getFirst());
        } else {
            right("SPF " + domain, records.getFirst());
        }
    }

    private void dkim(String name) {
        List<String> keys =
                texts(name).stream().filter(text -> text.contains("p=")).toList();
        if (keys.size() != 1) {
            missing("DKIM " + name, keys.isEmpty() ? "no key" : "several keys");
            return;
        }
        String key =
                keys.getFirst().replaceAll("(?:.*;|^)\\s*p=([^;]*).*", "$1").replaceAll("\\s", "");
        try {
            int bytes = Base64.getDecoder().decode(key).length;
            boolean ed25519 = keys.getFirst().contains("k=ed25519");
            if (bytes == 0) {
                wrong("DKIM " + name, "the key is revoked");
            } else if (!ed25519 && bytes < RSA_BYTES_MIN) {
                wrong("DKIM " + name, "an RSA key under 1024 bits");
            } else {
                right("DKIM " + name, ed25519 ? "an Ed25519 key" : "an RSA key of " + bytes + " bytes");
            }
        } catch (IllegalArgumentException _) {
            wrong("DKIM " + name, "the key is no base64");
        }
    }

    /** Checks the one TXT record that begins with a version. */
    private void policy(String what, String name, String version, Pattern valid, String fault) {
        List<String> records =
                texts(name).stream().filter(text -> text.startsWith(version)).toList();
        if (records.size() != 1) {
            missing(
                    what + " " + name,
                    records.isEmpty() ? "no TXT record " + version : "several records count as none");
        } else if (!valid.matcher(records.getFirst()).find()) {
            wrong(what + " " + name, fault + ": " + records.getFirst());
        } else {
            right(what + " " + name, records.getFirst());
        }
    }

    private List<String> texts(String name) {
        return found(name, Type.TXT).stream()
                .map(record -> String.join("", ((TXTRecord) record).getStrings()))
                .toList();
    }

    private List<Record> found(String name, int type) {
        try {
            return found(Name.fromString(name, Name.root), type);
        } catch (TextParseException e) {
            throw new StackException("no domain name: " + name, e);
        }
    }

    private List<Record> found(Name name, int type) {
        Lookup lookup = new Lookup(name, type, DClass.IN);
        lookup.setResolver(resolver);
        lookup.setCache(null);
        Record[] records = lookup.run();
        if (lookup.getResult() == Lookup.TRY_AGAIN || lookup.getResult() == Lookup.UNRECOVERABLE) {
            throw new NoAnswerException(Type.string(type) + " " + name + ": " + lookup.getErrorString());
        }
        return records == null ? List.of() : List.of(records);
    }

    private void right(String what, String value) {
        out.accept("ok       " + what + ": " + value);
    }

    private void missing(String what, String why) {
        faults++;
        out.accept("missing  " + what + ": " + why);
    }

    private void wrong(String what, String why) {
        faults++;
        out.accept("wrong    " + what + ": " + why);
    }
}
