package dev.oneshot.authentication.resolver;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.oneshot.authentication.dns.Dns;
import dev.oneshot.authentication.dns.Dns.Answer;
import dev.oneshot.authentication.dns.DomainNames;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/**
 * Asks resolving name servers, with dnsjava: over UDP, and over TCP if the response was truncated. Answers are kept for
 * their TTL. Equal look-ups at the same time share one query.
 */
public final class DnsResolver {

    private static final Duration KEPT_MAX = Duration.ofHours(1);
    private static final Duration KEPT_NONE = Duration.ofMinutes(1);
    private static final Duration KEPT_FAILURE = Duration.ofSeconds(2);
    // Generous estimates of the bytes of an answer and of a value, without their text.
    private static final int ANSWER_BYTES = 400;
    private static final int VALUE_BYTES = 100;
    // Parsed records are cached with their text; SPF has an object for each term of two or more characters.
    private static final int BYTES_A_CHARACTER = 8;
    private static final int SPF_BYTES_A_CHARACTER = 24;
    private static final String SPF = "v=spf1";
    private static final int ALIASES_MAX = 10;
    // With escapes; dnsjava knows the exact bound.
    private static final int NAME_CHARACTERS_MAX = 1_000;
    static final int RECORDS_MAX = 500;
    private static final int PORT = 53;
    private static final Pattern SERVER =
            Pattern.compile("(?<address>\\[[0-9A-Fa-f:.]+]|[0-9.]+|[0-9A-Fa-f:]+$)(?::(?<port>\\d{1,5}))?");

    private final NameServers servers;
    private final Duration timeout;
    private final AsyncLoadingCache<Question, Kept> cache;

    private record Question(String domain, Dns.Type type) {}

    /** An answer, and for how long it may be used. */
    private record Kept(Answer answer, Duration duration) {}

    /**
     * @param servers in the order in which they are queried
     * @param timeout of one look-up, on all servers together
     */
    public DnsResolver(List<InetSocketAddress> servers, Duration timeout, long cacheBytesMax) {
        this.timeout = timeout;
        this.servers = new NameServers(servers, timeout);
        this.cache = Caffeine.newBuilder()
                .maximumWeight(cacheBytesMax)
                .weigher(DnsResolver::bytes)
                .expireAfter(Expiry.creating((Question _, Kept kept) -> kept.duration()))
                .executor(task -> Thread.ofVirtual().name("dns").start(task))
                .buildAsync(this::ask);
    }

    /** The servers in the settings of this machine. */
    public static List<InetSocketAddress> serversOfThisMachine() {
        return ResolverConfig.getCurrentConfig().servers();
    }

    /**
     * Parses the address of a server with or without a port, such as {@code 192.0.2.53} or {@code [2001:db8::53]:53}.
     *
     * @throws IllegalArgumentException for any other text
     */
    public static InetSocketAddress serverAddress(String text) {
        Matcher parts = SERVER.matcher(text.strip());
        try {
            if (!parts.matches()) {
                throw new IllegalArgumentException("neither an address nor an address with a port");
            }
            int port = parts.group("port") == null ? PORT : Integer.parseInt(parts.group("port"));
            return new InetSocketAddress(InetAddress.ofLiteral(parts.group("address")), port);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "not an address such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:53: " + text, e);
        }
    }

    private static int bytes(Question question, Kept kept) {
        int values = kept.answer().values().stream()
                .mapToInt(value -> VALUE_BYTES + value.length() * bytesACharacter(value))
                .sum();
        return ANSWER_BYTES + question.domain().length() + values;
    }

    private static int bytesACharacter(String value) {
        return value.regionMatches(true, 0, SPF, 0, SPF.length()) ? SPF_BYTES_A_CHARACTER : BYTES_A_CHARACTER;
    }

    /** Look-ups that end at a time of the monotonic clock; later ones have no answer. */
    public Dns until(long deadlineNanos) {
        return (name, type) -> query(name, type, deadlineNanos);
    }

    /** Look-ups in cached answers, which never wait. For one check, on one thread. */
    public KeptAnswers kept() {
        return new KeptAnswers();
    }

    /** Answers that are kept; others are unknown. */
    public final class KeptAnswers implements Dns {

        private boolean complete = true;

        private KeptAnswers() {}

        @Override
        public Answer query(String name, Dns.Type type) {
            String domain = domain(name);
            if (domain.isEmpty()) {
                return new Answer.None(false);
            }
            CompletableFuture<Kept> kept = cache.getIfPresent(new Question(domain, type));
            if (kept == null || kept.state() != Future.State.SUCCESS) {
                complete = false;
                return new Answer.Unknown();
            }
            return kept.resultNow().answer();
        }

        /** Whether all answers so far were kept. */
        public boolean isComplete() {
            return complete;
        }
    }

    /** The estimated bytes of the answers that are kept. */
    long cachedBytes() {
        cache.synchronous().cleanUp();
        var eviction = cache.synchronous().policy().eviction().orElseThrow();
        return eviction.weightedSize().orElseThrow();
    }

    private Answer query(String text, Dns.Type type, long deadlineNanos) {
        String domain = domain(text);
        long left = Math.min(timeout.toNanos(), deadlineNanos - System.nanoTime());
        if (domain.isEmpty() || left <= 0) {
            return domain.isEmpty() ? new Answer.None(false) : new Answer.Unknown();
        }
        try {
            return cache.get(new Question(domain, type))
                    .get(left, TimeUnit.NANOSECONDS)
                    .answer();
        } catch (ExecutionException | TimeoutException _) {
            return new Answer.Unknown();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Answer.Unknown();
        }
    }

    /** The name that is looked up; empty if the text is none. */
    private static String domain(String text) {
        return DomainNames.canonical(text).orElseGet(() -> literal(text));
    }

    /** Macros of SPF can make names of any characters; dnsjava checks their lengths. */
    private static String literal(String text) {
        boolean plain = text.length() <= NAME_CHARACTERS_MAX && text.chars().allMatch(c -> c >= ' ' && c < 0x7F);
        return plain && !text.startsWith(".") ? text.toLowerCase(Locale.ROOT).replace("\\", "\\\\") : "";
    }

    private Kept ask(Question question) {
        Record asked;
        try {
            asked = Record.newRecord(
                    Name.fromString(question.domain(), Name.root),
                    Type.value(question.type().name()),
                    DClass.IN);
        } catch (TextParseException _) {
            return new Kept(new Answer.None(false), KEPT_NONE);
        }
        try {
            return servers.response(Message.newQuery(asked))
                    .map(response -> read(response, asked))
                    .orElseGet(() -> new Kept(new Answer.Unknown(), KEPT_FAILURE));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Kept(new Answer.Unknown(), Duration.ZERO);
        }
    }

    private static Kept read(Message response, Record asked) {
        List<Record> answers = response.getSection(Section.ANSWER);
        Name owner = asked.getType() == Type.CNAME ? asked.getName() : alias(answers, asked.getName());
        List<Record> records = answers.stream()
                .filter(record -> record.getName().equals(owner) && record.getType() == asked.getType())
                .limit(RECORDS_MAX)
                .toList();
        if (records.isEmpty()) {
            return new Kept(new Answer.None(response.getRcode() == Rcode.NOERROR), KEPT_NONE);
        }
        long ttl = records.stream().mapToLong(Record::getTTL).min().orElse(0);
        List<String> values = records.stream()
                .sorted(Comparator.comparingInt(record -> record instanceof MXRecord mx ? mx.getPriority() : 0))
                .map(DnsResolver::value)
                .toList();
        return new Kept(new Answer.Found(values), Duration.ofSeconds(Math.min(ttl, KEPT_MAX.toSeconds())));
    }

    /** The end of a chain of aliases in any order; a loop ends anywhere. */
    private static Name alias(List<Record> answers, Name name) {
        Name owner = name;
        for (int i = 0; i < ALIASES_MAX; i++) {
            for (Record record : answers) {
                if (record instanceof CNAMERecord alias && alias.getName().equals(owner)) {
                    owner = alias.getTarget();
                }
            }
        }
        return owner;
    }

    private static String value(Record record) {
        return switch (record) {
            case ARecord a -> a.getAddress().getHostAddress();
            case AAAARecord aaaa -> aaaa.getAddress().getHostAddress();
            case CNAMERecord alias -> alias.getTarget().toString(true);
            case MXRecord mx -> mx.getTarget().toString(true);
            case PTRRecord ptr -> ptr.getTarget().toString(true);
            case TXTRecord txt ->
                txt.getStringsAsByteArrays().stream()
                        .map(string -> new String(string, StandardCharsets.ISO_8859_1))
                        .collect(Collectors.joining());
            default -> throw new IllegalStateException("unexpected record type: " + record.getType());
        };
    }
}
