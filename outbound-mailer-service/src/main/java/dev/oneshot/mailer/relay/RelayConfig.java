package dev.oneshot.mailer.relay;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The SMTP server that delivers the mails, and its timeouts. */
@ConfigMapping(prefix = "oneshot.relay")
public interface RelayConfig {

    /** Name or address. The relay's certificate must be valid for exactly this. */
    @WithDefault("127.0.0.1")
    String host();

    /** Port, 1 to 65535. */
    @WithDefault("2525")
    int port();

    /** How the connection is encrypted. {@code none} sends mails in the clear, but never a password. */
    @WithDefault("starttls")
    TlsMode tls();

    /** A PEM file of certificates, of which one must have signed the relay's; default: Java's trust store. */
    Optional<Path> trustFile();

    /** The user name, if the relay needs one; needs {@link #password()} and TLS. */
    Optional<String> username();

    /** The user's password. */
    Optional<String> password();

    /** The name in EHLO (RFC 5321 §4.1.4). A relay may reject a name that DNS does not have. */
    @WithDefault("out.oneshot.localhost")
    String helloName();

    /** The longest time to connect. */
    @WithDefault("10s")
    Duration connectTimeout();

    /** The longest time to wait for a reply (RFC 5321 §4.5.3.2 asks for five minutes). */
    @WithDefault("5m")
    Duration replyTimeout();

    /**
     * The longest time to wait for the reply to the end of the data. If it is too short, mails are duplicated: the
     * relay may have accepted the mail that is sent again (RFC 5321 §4.5.3.2.6).
     */
    @WithDefault("10m")
    Duration dataReplyTimeout();

    /** The longest time of an attempt up to the end of the data, when {@link #dataReplyTimeout()} starts. */
    @WithDefault("12m")
    Duration attemptTimeout();

    /** How long an unused connection is kept. It should be shorter than the time after which the relay closes one. */
    @WithDefault("20s")
    Duration idleTimeout();

    /** How many mails a connection carries before it is closed, at least 1. */
    @WithDefault("100")
    int mailsPerConnection();

    /** How the connection is encrypted. */
    enum TlsMode {
        /** Not encrypted: for a relay on the same host. */
        NONE,
        /** STARTTLS (RFC 3207). A relay that does not offer it gets no mail. */
        STARTTLS,
        /** TLS from the first byte (RFC 8314 §3.3), usually on port 465. */
        IMPLICIT
    }
}
