package dev.oneshot.ingest.transport;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The SMTP server. */
@ConfigMapping(prefix = "oneshot.smtp")
public interface SmtpConfig {

    /** The address to listen on; {@code 0.0.0.0} for all. */
    @WithDefault("127.0.0.1")
    String host();

    /** The port to listen on; 0 for any free one. */
    @WithDefault("2525")
    int port();

    /** Our name in the greeting and in {@code Received}; should resolve to this server. */
    @WithDefault("${oneshot.receive-domain:in.oneshot.localhost}")
    String hostname();

    /**
     * Our authserv-id (RFC 8601 §2.5): an {@code Authentication-Results} field that bears it and comes with a message is
     * forged and removed. When absent, {@link #hostname}.
     */
    Optional<String> authservId();

    /**
     * The Quarkus TLS configuration with the certificate for STARTTLS: {@code smtp} stands for
     * {@code quarkus.tls.smtp.key-store…} (PEM or PKCS12; with {@code quarkus.tls.smtp.reload-period} renewed without a
     * restart). As variables: {@code QUARKUS_TLS__SMTP__KEY_STORE_PEM__0__CERT} and {@code …_KEY}, or
     * {@code QUARKUS_TLS__SMTP__KEY_STORE_P12_PATH} and {@code …_PASSWORD}. When absent, STARTTLS is not offered.
     */
    Optional<String> tlsConfigurationName();

    /**
     * The versions of TLS that are spoken after STARTTLS: {@code TLSv1.2} and {@code TLSv1.3}, or one of them. It is
     * this that holds, not {@code quarkus.tls.smtp.protocols}, whose default would shut out every sender without TLS
     * 1.3.
     */
    @WithDefault("TLSv1.2,TLSv1.3")
    Set<String> tlsProtocols();

    /**
     * The networks of load balancers that speak the PROXY protocol to us, in CIDR notation. A connection from there
     * must begin with a PROXY header (version 1 or 2), and the client it names is believed; from anywhere else such a
     * header is an unknown command.
     */
    Optional<List<String>> proxyNetworks();

    /** How many event loops serve connections; 0 for one a processor. */
    @WithDefault("0")
    int eventLoops();

    /** The largest message, announced with SIZE: that of the largest plan. Smaller limits are in the address ids. */
    @WithDefault("32M")
    MemorySize messageBytesMax();

    /** The most recipients of one message; clients count on 100 (RFC 5321 §4.5.3.1.8). */
    @WithDefault("100")
    int recipientsMax();

    /** The most messages of one connection, announced with LIMITS (RFC 9422); then 421. */
    @WithDefault("10000")
    int messagesMax();

    /** The most errors of one connection, unknown recipients among them; then 421. Slows down guessing of addresses. */
    @WithDefault("20")
    int errorsMax();

    /**
     * The most commands of one connection without a message among them; then 421. At least 10 more than
     * {@link #recipientsMax}.
     */
    @WithDefault("1000")
    int commandsMax();

    /**
     * The mailbox where mail to {@code postmaster} of our domain is read instead: senders hear
     * {@code 551 please try <…>}. When absent they hear 550, that nobody reads it. Publish one when this faces the internet.
     */
    Optional<String> postmaster();

    /** The largest header section of a message; beyond, 554. */
    @WithDefault("1M")
    MemorySize headerBytesMax();

    /** The longest line of a message. RFC 5321 has 1000 octets, mail in the wild far more; beyond, 554. */
    @WithDefault("8M")
    MemorySize contentLineBytesMax();

    /** How much of a message is read on once it is too large, so that the client can be told; then 421. */
    @WithDefault("64M")
    MemorySize discardBytesMax();

    /**
     * The octets of messages in memory over all sessions; when spent, messages wait for each other. At least 1M more
     * than {@link #messageBytesMax}: so much of it is kept for the message that is next. Beside it the heap has to hold
     * {@code oneshot.delivery.buffer-memory}, and a large message for each processor.
     */
    @WithDefault("64M")
    MemorySize memoryBytesMax();

    /**
     * How long a message waits for {@link #memoryBytesMax}, with its client, before the client hears 452; 0 for not at
     * all, at most 1 minute, as clients wait 2 for their 354 (RFC 5321 §4.5.3.2.4).
     */
    @WithDefault("10s")
    Duration memoryWait();

    /**
     * The least octets a second with which a message over 64K comes in while others wait for {@link #memoryBytesMax}, over
     * half of {@link #memoryWait}. A slower one gives its memory back and hears 452 at its end; 0 for none.
     */
    @WithDefault("32K")
    MemorySize memoryRateMin();

    /** The most connections in all; then 421. */
    @WithDefault("2000")
    int connectionsMax();

    /** The most connections of one client address; then 421. */
    @WithDefault("250")
    int connectionsPerClientMax();

    /**
     * How long the next command may take to come, to its last octet, and the next octets of a message (RFC 5321
     * §4.5.3.2.7); then 421.
     */
    @WithDefault("5m")
    Duration idleTimeout();

    /** How long the content of one message may take in all, the pauses between its chunks included; then 421. */
    @WithDefault("10m")
    Duration dataTimeout();

    /** The least octets a second that the content of a message comes in with, after {@link #dataRateGrace}; then 421. */
    @WithDefault("256")
    MemorySize dataRateMin();

    /** For how long the content of a message may be slower than {@link #dataRateMin}. */
    @WithDefault("30s")
    Duration dataRateGrace();

    /**
     * How many mails are remembered whose senders may not have heard that they are stored, at some 250 octets each; of
     * more the oldest are forgotten, and their senders hear 550 5.2.1 should they come again.
     */
    @WithDefault("20000")
    int unheardMailsMax();

    /** For how long such a mail is remembered: no address lives longer than a day. */
    @WithDefault("24h")
    Duration unheardMailsKept();

    /** How long messages under way may take when the service stops. */
    @WithDefault("20s")
    Duration stopTimeout();
}
