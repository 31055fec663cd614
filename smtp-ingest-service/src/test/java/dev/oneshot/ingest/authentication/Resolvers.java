package dev.oneshot.ingest.authentication;

import dev.oneshot.ingest.authentication.dns.Dns;
import dev.oneshot.testing.LocalDns;
import java.time.Duration;
import java.util.stream.Stream;

/** Resolvers that ask a test's name server. */
final class Resolvers {

    /** Longer than any test takes. */
    static final Duration LONG = Duration.ofMinutes(2);

    static final long CACHE_BYTES = 1 << 20;

    private Resolvers() {}

    /** For one check, which waits as long as it takes. */
    static Dns dns(LocalDns... servers) {
        return dns(of(LONG, servers));
    }

    static Dns dns(DnsResolver resolver) {
        return resolver.until(System.nanoTime() + LONG.toNanos());
    }

    /** Waits for each look-up for this long. */
    static DnsResolver of(Duration timeout, LocalDns... servers) {
        return new DnsResolver(
                Stream.of(servers)
                        .map(server -> AuthenticationSettings.server(server.address()))
                        .toList(),
                timeout,
                CACHE_BYTES);
    }
}
