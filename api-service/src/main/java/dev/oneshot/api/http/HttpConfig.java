package dev.oneshot.api.http;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** What the edge lets in. */
@ConfigMapping(prefix = "oneshot.http")
public interface HttpConfig {

    /**
     * The largest request body in octets; beyond it 413. Must lie above the largest plan's e-mail limit × 4/3, as
     * attachments come in base64, or clients see 413 where the contract says 422.
     */
    @WithDefault("48M")
    MemorySize bodyMax();

    /**
     * How much memory the bodies of all large requests at work may take, each counted three times its length. A body
     * that would need more is read alone, none has more than half before it has come so far, and no account has more than half
     * with several. Too much of it, and a few large mails to send exhaust the heap.
     */
    @WithDefault("160M")
    MemorySize bodyMemory();

    /**
     * How much memory bodies of up to 64 KiB may take, in the same way; those of up to 4 KiB are not counted. Without a bound
     * an account could begin thousands of them and let them stall.
     */
    @WithDefault("16M")
    MemorySize smallBodyMemory();

    /** How long a request waits for that memory before it is told 503, or 429; also what Retry-After says. */
    @WithDefault("PT10S")
    Duration bodyWait();

    /**
     * How long a body may take to come, a large one once it has that memory; then 408, as others wait for it. Without an
     * end to it, an octet a minute would keep a request and what has come of it for ever.
     */
    @WithDefault("PT1M")
    Duration bodyReceive();

    /**
     * How many connections each of the two ports has at most: what a connection holds besides large bodies and mail is counted
     * nowhere. For one more, the connection that has been without a request for longest is closed; if none is, the new one.
     */
    @WithDefault("4000")
    int connectionsMax();

    /**
     * How many of them one client network may have: an IPv4 address, the first 64 bits of an IPv6 address. For one more, its own
     * idle connections are closed. The addresses in {@code quarkus.http.proxy.trusted-proxies} are excepted; behind any other
     * proxy all clients share this.
     */
    @WithDefault("500")
    int connectionsPerClientMax();

    /** How long the header of a connection's first request may take, TLS included; then the connection is closed. */
    @WithDefault("PT5S")
    Duration headerReceive();

    /**
     * The longest request target (path and query) in octets; beyond it 414. A label of 255 characters, all of them
     * percent-encoded, and a cursor need some 3,300. Quarkus's own limit lies above, and answers with nothing in it.
     */
    @WithDefault("8000")
    int targetMax();

    /** The most octets in all fields of a request's header together; beyond it 431. Quarkus's own limit lies above. */
    @WithDefault("16K")
    MemorySize headerMax();

    /**
     * The most JSON tokens in a body. Bounds what a body of nothing but tiny members could cost; a request to send
     * with a hundred attachments has under a thousand.
     */
    @WithDefault("20000")
    int jsonTokensMax();

    /**
     * The origins whose web pages may use the API (CORS), such as {@code https://app.example.com}, or {@code *} for all.
     * Without any, CORS is off and browsers withhold responses from the pages of other origins.
     */
    Optional<Set<String>> corsOrigins();
}
