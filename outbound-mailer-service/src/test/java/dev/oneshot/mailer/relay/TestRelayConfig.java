package dev.oneshot.mailer.relay;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A relay on loopback, with short timeouts. */
public record TestRelayConfig(
        String host,
        int port,
        TlsMode tls,
        Optional<Path> trustFile,
        Optional<String> username,
        Optional<String> password,
        Duration replyTimeout,
        Duration attemptTimeout,
        Duration idleTimeout)
        implements RelayConfig {

    public static TestRelayConfig plain(int port) {
        return new TestRelayConfig(
                "127.0.0.1",
                port,
                TlsMode.NONE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(10),
                Duration.ofSeconds(20),
                Duration.ofSeconds(10));
    }

    static Relay relay(RelayConfig config) {
        return new Relay(config);
    }

    /** A lease that outlasts the test. */
    static BooleanSupplier validLease() {
        return () -> true;
    }

    public TestRelayConfig patience(Duration replyTimeout, Duration attemptTimeout) {
        return new TestRelayConfig(
                host, port, tls, trustFile, username, password, replyTimeout, attemptTimeout, idleTimeout);
    }

    TestRelayConfig idle(Duration idleTimeout) {
        return new TestRelayConfig(
                host, port, tls, trustFile, username, password, replyTimeout, attemptTimeout, idleTimeout);
    }

    public TestRelayConfig starttls(String host, Optional<Path> trustFile) {
        return new TestRelayConfig(
                host, port, TlsMode.STARTTLS, trustFile, username, password, replyTimeout, attemptTimeout, idleTimeout);
    }

    public TestRelayConfig implicit(String host, Path trustFile) {
        return new TestRelayConfig(
                host,
                port,
                TlsMode.IMPLICIT,
                Optional.of(trustFile),
                username,
                password,
                replyTimeout,
                attemptTimeout,
                idleTimeout);
    }

    public TestRelayConfig login(String username, String password) {
        return new TestRelayConfig(
                host,
                port,
                tls,
                trustFile,
                Optional.of(username),
                Optional.of(password),
                replyTimeout,
                attemptTimeout,
                idleTimeout);
    }

    @Override
    public String helloName() {
        return "out.example.org";
    }

    @Override
    public Duration connectTimeout() {
        return Duration.ofSeconds(5);
    }

    @Override
    public Duration dataReplyTimeout() {
        return replyTimeout;
    }

    @Override
    public int mailsPerConnection() {
        return 3;
    }
}
