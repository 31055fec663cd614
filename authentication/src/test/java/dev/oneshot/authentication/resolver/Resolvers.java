package dev.oneshot.authentication.resolver;

import dev.oneshot.authentication.dns.Dns;
import dev.oneshot.authentication.dns.Dns.Answer;
import dev.oneshot.testing.LocalDns;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Resolvers that ask a test's name server, or a table. */
public final class Resolvers {

    /** Longer than any test takes. */
    static final Duration LONG = Duration.ofMinutes(2);

    static final long CACHE_BYTES = 1 << 20;

    private Resolvers() {}

    /** For one check, which waits as long as it takes. */
    public static Dns dns(LocalDns... servers) {
        return dns(of(LONG, servers));
    }

    public static Dns dns(DnsResolver resolver) {
        return resolver.until(System.nanoTime() + LONG.toNanos());
    }

    /**
     * Without a name server.
     *
     * @param records by name: texts with {@code &} between them, or {@code ?} if the query has no answer in time. A
     *     name without records exists, unless it begins with {@code missing}.
     * @param asked gets the names of all queries
     */
    public static Dns dns(Map<String, String> records, List<String> asked) {
        return (name, _) -> {
            asked.add(name);
            String text = records.get(name);
            if (text == null) {
                return new Answer.None(!name.startsWith("missing."));
            }
            return text.equals("?") ? new Answer.Unknown() : new Answer.Found(List.of(text.split(" & ", -1)));
        };
    }

    /** Waits for each look-up for this long. */
    static DnsResolver of(Duration timeout, LocalDns... servers) {
        return new DnsResolver(
                Stream.of(servers)
                        .map(server -> DnsResolver.serverAddress(server.address()))
                        .toList(),
                timeout,
                CACHE_BYTES);
    }
}
