package dev.oneshot.mailer.relay;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The relay: who takes our mails, and how patient we are with it. */
@ConfigMapping(prefix = "oneshot.relay")
public interface RelayConfig {

    /** Its name or address. Its certificate has to be valid for exactly this. */
    @WithDefault("127.0.0.1")
    String host();

    /** Its port, 1 to 65535. */
    @WithDefault("2525")
    int port();

    /** Whether the connection is encrypted. {@code none} sends mails, though never a password, in the clear. */
    @WithDefault("starttls")
    TlsMode tls();

    /** A file with the certificates, in PEM, that the relay's has to be signed by; without it, Java's own trust store. */
    Optional<Path> trustFile();

    /** Logs in as this user, if set; needs {@link #password()} and TLS. */
    Optional<String> username();

    /** The user's password. */
    Optional<String> password();

    /** What we call ourselves in EHLO (RFC 5321 §4.1.4). A relay may refuse a name that DNS does not know. */
    @WithDefault("out.oneshot.localhost")
    String helloName();

    /** How long a connection may take to be made. */
    @WithDefault("10s")
    Duration connectTimeout();

    /** How long a reply may take (RFC 5321 §4.5.3.2 asks for five minutes). */
    @WithDefault("5m")
    Duration replyTimeout();

    /**
     * How long the reply to the end of the data may take. Too short makes duplicates: the relay may have taken the mail
     * that is sent again (RFC 5321 §4.5.3.2.6).
     */
    @WithDefault("10m")
    Duration dataReplyTimeout();

    /** How long one attempt may take up to the end of the data; then {@link #dataReplyTimeout()} begins. */
    @WithDefault("12m")
    Duration attemptTimeout();

    /** How long an unused connection is kept for the next mail. Longer than the relay keeps it costs a new connection. */
    @WithDefault("20s")
    Duration idleTimeout();

    /** How many mails a connection carries before it is closed, at least 1. */
    @WithDefault("100")
    int mailsPerConnection();

    /** How the connection is encrypted. */
    enum TlsMode {
        /** Not at all: for a relay on the same host. */
        NONE,
        /** STARTTLS (RFC 3207); a relay that does not offer it gets no mail. */
        STARTTLS,
        /** From the first octet (RFC 8314 §3.3), usually on port 465. */
        IMPLICIT
    }
}
