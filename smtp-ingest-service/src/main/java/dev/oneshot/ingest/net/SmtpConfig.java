package dev.oneshot.ingest.net;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.common.net.CidrAddress;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Settings of the SMTP server. */
@ConfigMapping(prefix = "oneshot.smtp")
public interface SmtpConfig {

    /** The address to listen on; {@code 0.0.0.0} for all. */
    @WithDefault("127.0.0.1")
    String host();

    /** The port to listen on; 0 for any free one. */
    @WithDefault("2525")
    int port();

    /** The server's name in the greeting and in {@code Received}; it should resolve to this server. */
    @WithDefault("${oneshot.receive-domain:in.oneshot.localhost}")
    String hostname();

    /**
     * The server's authserv-id (RFC 8601 §2.5): an {@code Authentication-Results} field with this name in a received
     * message is forged and removed. By default the receive domain, which clients and the console look for.
     */
    @WithDefault("${oneshot.receive-domain:in.oneshot.localhost}")
    String authservId();

    /**
     * The Quarkus TLS configuration with the certificate for STARTTLS: {@code smtp} stands for {@code
     * quarkus.tls.smtp.key-store…} (PEM or PKCS12; {@code quarkus.tls.smtp.reload-period} renews it without a
     * restart). As variables: {@code QUARKUS_TLS__SMTP__KEY_STORE_PEM__0__CERT} and {@code …_KEY}, or {@code
     * QUARKUS_TLS__SMTP__KEY_STORE_P12_PATH} and {@code …_PASSWORD}. Without it, STARTTLS is not offered.
     */
    Optional<String> tlsConfigurationName();

    /**
     * The TLS versions after STARTTLS: {@code TLSv1.2} and {@code TLSv1.3}, or one of them. It overrides {@code
     * quarkus.tls.smtp.protocols}, whose default would exclude senders without TLS 1.3.
     */
    @WithDefault("TLSv1.2,TLSv1.3")
    Set<String> tlsProtocols();

    /**
     * The networks of load balancers that speak the PROXY protocol, in CIDR notation. A connection from there must
     * begin with a PROXY header (version 1 or 2), and the client in it is trusted. From other networks such a header
     * is an unknown command.
     */
    Optional<List<@WithConverter(NetworkConverter.class) CidrAddress>> proxyNetworks();

    /** The largest message, announced with SIZE: that of the largest plan. Address ids have smaller limits. */
    @WithDefault("32M")
    MemorySize messageBytesMax();

    /** The most recipients of one message; clients expect at least 100 (RFC 5321 §4.5.3.1.8). */
    @WithDefault("100")
    int recipientsMax();

    /** The most messages of one connection, announced with LIMITS (RFC 9422); then 421. */
    @WithDefault("10000")
    int messagesMax();

    /** The most errors of one connection, including unknown recipients; then 421. Slows down guessing of addresses. */
    @WithDefault("20")
    int errorsMax();

    /**
     * The most commands of one connection without a message among them; then 421. At least 10 more than
     * {@link #recipientsMax}.
     */
    @WithDefault("1000")
    int commandsMax();

    /**
     * The operator's mailbox, to which mail for {@code postmaster} and {@code abuse} is relayed. Without it, 550. It
     * must not be in the receive or the send domain. Set it on the internet. Messages for it may be up to 2M.
     */
    Optional<String> postmaster();

    /** The largest header section of a message; beyond, 554. */
    @WithDefault("1M")
    MemorySize headerBytesMax();

    /** The longest line of a message; beyond, 554. RFC 5321 has 1000 octets, but real mail has far longer lines. */
    @WithDefault("8M")
    MemorySize contentLineBytesMax();

    /**
     * The memory for messages of all sessions, in bytes; when it is used up, messages wait. At least 1M more than
     * {@link #messageBytesMax}, which is reserved for one message. The heap must also hold the producer's {@code
     * buffer.memory}, and a large message for each processor.
     */
    @WithDefault("64M")
    MemorySize memoryBytesMax();

    /**
     * How long a message waits for {@link #memoryBytesMax} before the client gets 452; 0 for no wait. At most 1
     * minute, as clients wait 2 minutes for 354 (RFC 5321 §4.5.3.2.4). Checked once a second.
     */
    @WithDefault("10s")
    Duration memoryWait();

    /** The most connections in all; then 421. */
    @WithDefault("2000")
    int connectionsMax();

    /** The most connections of one client network; then 421. */
    @WithDefault("250")
    int connectionsPerClientMax();

    /** The most messages a minute of one client network, over all connections; then 450. 0 for no limit. */
    @WithDefault("60000")
    int messagesPerClientMax();

    /**
     * The most unknown recipients, and recipients {@link #postmaster}, a minute of one client network; then 421, or 450
     * for postmaster. 0 for no limit.
     */
    @WithDefault("100")
    int unknownRecipientsPerClientMax();

    /** The size of a client network of IPv4, in bits of the prefix. */
    @WithDefault("32")
    int clientPrefixIpv4();

    /** The size of a client network of IPv6: a provider gives each customer a /64 at least. */
    @WithDefault("64")
    int clientPrefixIpv6();

    /** Networks without these limits, in CIDR notation: your own relays. */
    Optional<List<@WithConverter(NetworkConverter.class) CidrAddress>> trustedNetworks();

    /**
     * The longest time until the next command is complete, and between bytes of a message (RFC 5321 §4.5.3.2.7);
     * then 421.
     */
    @WithDefault("5m")
    Duration idleTimeout();

    /** The longest time for the content of one message, with the pauses between its chunks; then 421. */
    @WithDefault("10m")
    Duration dataTimeout();

    /** The fewest bytes a second of a message's content after {@link #dataRateGrace}; below, 421. */
    @WithDefault("256")
    MemorySize dataRateMin();

    /** How long the content of a message may be slower than {@link #dataRateMin}. */
    @WithDefault("30s")
    Duration dataRateGrace();

    /** How long messages in progress may take when the service stops. */
    @WithDefault("20s")
    Duration stopTimeout();
}
