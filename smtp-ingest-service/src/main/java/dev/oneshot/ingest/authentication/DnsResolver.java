package dev.oneshot.ingest.authentication;

import dev.oneshot.ingest.authentication.DnsCache.Kept;
import dev.oneshot.ingest.authentication.dns.Dns;
import dev.oneshot.ingest.authentication.dns.DomainNames;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;

/**
 * Asks resolving name servers, with dnsjava: over UDP, and over TCP if the response was truncated. Each server is asked
 * in turn, a single one twice. Answers are kept for their TTL.
 */
public final class DnsResolver {

    private static final Executor THREADS =
            task -> Thread.ofVirtual().name("dns").start(task);
    private static final int ATTEMPTS_MIN = 2;
    private static final int ATTEMPTS_MAX = 3;
    private static final Duration KEPT_MAX = Duration.ofHours(1);
    private static final Duration KEPT_NONE = Duration.ofMinutes(1);
    private static final Duration KEPT_FAILURE = Duration.ofSeconds(2);
    private static final int ALIASES_MAX = 10;
    // With escapes; dnsjava knows the exact bound.
    private static final int NAME_CHARACTERS_MAX = 1_000;
    static final int RECORDS_MAX = 500;

    private final List<SimpleResolver> attempts;
    private final Duration timeout;
    private final DnsCache cache;

    /** @param timeout of one look-up, on all servers together */
    public DnsResolver(List<InetSocketAddress> servers, Duration timeout, long cacheBytesMax) {
        int count = Math.clamp(servers.size(), ATTEMPTS_MIN, ATTEMPTS_MAX);
        this.timeout = timeout;
        this.cache = new DnsCache(cacheBytesMax);
        this.attempts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SimpleResolver server = new SimpleResolver(servers.get(i % servers.size()));
            server.setTimeout(timeout.dividedBy(count));
            server.setIoClientFactory(new DnsClients());
            attempts.add(server);
        }
    }

    /** Look-ups that end at a time of the monotonic clock; later ones have no answer. */
    public Dns until(long deadlineNanos) {
        return (name, type) -> query(name, type, deadlineNanos);
    }

    long cachedBytes() {
        return cache.bytes();
    }

    private Dns.Answer query(String text, Dns.Type type, long deadlineNanos) {
        String domain = DomainNames.canonical(text).orElseGet(() -> literal(text));
        long now = System.nanoTime();
        long left = Math.min(timeout.toNanos(), deadlineNanos - now);
        if (domain.isEmpty() || left <= 0) {
            return domain.isEmpty() ? new Dns.Answer.None(false) : new Dns.Answer.Unknown();
        }
        try {
            return cache.get(type + " " + domain, now, () -> ask(domain, type, 0))
                    .get(left, TimeUnit.NANOSECONDS)
                    .answer();
        } catch (ExecutionException | TimeoutException _) {
            return new Dns.Answer.Unknown();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Dns.Answer.Unknown();
        }
    }

    /** Macros of SPF can make names of any characters; dnsjava checks their lengths. */
    private static String literal(String text) {
        boolean plain = text.length() <= NAME_CHARACTERS_MAX && text.chars().allMatch(c -> c >= ' ' && c < 0x7F);
        return plain && !text.startsWith(".") ? text.toLowerCase(Locale.ROOT).replace("\\", "\\\\") : "";
    }

    private CompletableFuture<Kept> ask(String domain, Dns.Type type, int attempt) {
        Name name;
        try {
            name = Name.fromString(domain, Name.root);
        } catch (TextParseException _) {
            return CompletableFuture.completedFuture(kept(new Dns.Answer.None(false), KEPT_NONE));
        }
        Message query = Message.newQuery(Record.newRecord(name, code(type), DClass.IN));
        return attempts.get(attempt)
                .sendAsync(query, THREADS)
                .toCompletableFuture()
                .handle((response, failure) -> failure == null ? read(response, name, type) : unknown())
                .thenCompose(kept -> kept.answer() instanceof Dns.Answer.Unknown && attempt + 1 < attempts.size()
                        ? ask(domain, type, attempt + 1)
                        : CompletableFuture.completedFuture(kept));
    }

    private static int code(Dns.Type type) {
        return switch (type) {
            case A -> org.xbill.DNS.Type.A;
            case AAAA -> org.xbill.DNS.Type.AAAA;
            case MX -> org.xbill.DNS.Type.MX;
            case PTR -> org.xbill.DNS.Type.PTR;
            case TXT -> org.xbill.DNS.Type.TXT;
        };
    }

    private static Kept read(Message response, Name name, Dns.Type type) {
        int code = response.getRcode();
        if (code != Rcode.NOERROR && code != Rcode.NXDOMAIN) {
            return unknown();
        }
        List<Record> answers = response.getSection(Section.ANSWER);
        Name owner = alias(answers, name);
        List<Record> records = answers.stream()
                .filter(record -> record.getName().equals(owner) && record.getType() == code(type))
                .limit(RECORDS_MAX)
                .toList();
        if (records.isEmpty()) {
            return kept(new Dns.Answer.None(code == Rcode.NOERROR), KEPT_NONE);
        }
        long ttl = records.stream().mapToLong(Record::getTTL).min().orElse(0);
        Duration keep = Duration.ofSeconds(Math.min(ttl, KEPT_MAX.toSeconds()));
        return kept(new Dns.Answer.Found(values(records)), keep);
    }

    /** The end of a chain of aliases; a loop ends anywhere. */
    private static Name alias(List<Record> answers, Name name) {
        Name owner = name;
        for (int i = 0; i < ALIASES_MAX; i++) {
            Name current = owner;
            owner = answers.stream()
                    .filter(record -> record.getName().equals(current))
                    .filter(org.xbill.DNS.CNAMERecord.class::isInstance)
                    .map(record -> ((org.xbill.DNS.CNAMERecord) record).getTarget())
                    .findFirst()
                    .orElse(current);
            if (owner.equals(current)) {
                return owner;
            }
        }
        return owner;
    }

    private static List<String> values(List<Record> records) {
        return records.stream()
                .sorted(Comparator.comparingInt(record -> record instanceof MXRecord mx ? mx.getPriority() : 0))
                .map(DnsResolver::value)
                .toList();
    }

    private static String value(Record record) {
        return switch (record) {
            case ARecord a -> a.getAddress().getHostAddress();
            case AAAARecord aaaa -> aaaa.getAddress().getHostAddress();
            case MXRecord mx -> mx.getTarget().toString(true);
            case PTRRecord ptr -> ptr.getTarget().toString(true);
            case TXTRecord txt -> text(txt);
            default -> throw new IllegalStateException("not asked for: " + record.getType());
        };
    }

    private static String text(TXTRecord record) {
        StringBuilder text = new StringBuilder();
        for (byte[] string : record.getStringsAsByteArrays()) {
            text.append(new String(string, StandardCharsets.ISO_8859_1));
        }
        return text.toString();
    }

    private static Kept unknown() {
        return kept(new Dns.Answer.Unknown(), KEPT_FAILURE);
    }

    private static Kept kept(Dns.Answer answer, Duration duration) {
        return new Kept(answer, System.nanoTime() + duration.toNanos());
    }
}
