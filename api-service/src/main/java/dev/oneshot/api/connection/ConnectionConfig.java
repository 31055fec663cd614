package dev.oneshot.api.connection;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Limits on connections. */
@ConfigMapping(prefix = "oneshot.http")
public interface ConnectionConfig {

    /**
     * The most connections to each of the two ports. Only this bounds the memory of connections, except for bodies above
     * 4 KiB, mail above 1 KiB, and pages of addresses above 4 KiB. For one more, the connection that has been without a request for longest is closed; if all have
     * requests, the new one is.
     */
    @WithDefault("4000")
    int connectionsMax();

    /**
     * The most of them from one client network: an IPv4 address, or the first 64 bits of an IPv6 address. For one more,
     * the network's longest idle connection is closed; if none is idle, the new one is. The addresses in {@code
     * quarkus.http.proxy.trusted-proxies} are excepted; behind any other proxy all clients share this.
     */
    @WithDefault("500")
    int connectionsPerClientMax();

    /** How long the header of a connection's first request may take, TLS included; then the connection is closed. */
    @WithDefault("PT5S")
    Duration headerReceive();
}
