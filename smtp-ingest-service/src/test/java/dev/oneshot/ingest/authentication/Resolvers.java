package dev.oneshot.ingest.authentication;

import dev.oneshot.testing.LocalDns;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Resolvers that ask a test's name server. */
final class Resolvers {

    /** Longer than any test takes. */
    static final Duration LONG = Duration.ofMinutes(2);

    static final long CACHE_BYTES = 1 << 20;

    private Resolvers() {}

    /** Waits as long as it takes. */
    static DnsResolver of(LocalDns server) {
        return of(server, LONG);
    }

    /** Waits for each look-up for this long. */
    static DnsResolver of(LocalDns server, Duration timeout) {
        InetSocketAddress address = AuthenticationSettings.server(server.address());
        return new DnsResolver(List.of(address), timeout, CACHE_BYTES);
    }
}
