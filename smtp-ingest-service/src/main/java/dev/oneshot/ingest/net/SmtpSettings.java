package dev.oneshot.ingest.net;

import dev.oneshot.ingest.authentication.dns.DomainNames;
import dev.oneshot.ingest.memory.MessageMemory;
import dev.oneshot.ingest.smtp.AuthservId;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.command.Grammar;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.configuration.MemorySize;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/** Checks {@link SmtpConfig} and converts it for the parts of the server. */
final class SmtpSettings {

    private static final int PORT_MAX = 65_535;
    // EHLO, STARTTLS, EHLO, MAIL, DATA, QUIT, and a few more.
    private static final int COMMANDS_BESIDE_RCPT = 10;
    private static final int IPV6_BITS = 128;
    private static final int MEBIBYTE = 1024 * 1024;
    // Trace fields have two mailboxes, and are far shorter than this.
    private static final int TRACE_BYTES_MAX = 64 * 1024;
    // Clients wait 3 minutes for the server to read the data (RFC 5321 §4.5.3.2.5).
    private static final Duration MEMORY_WAIT_MAX = Duration.ofMinutes(1);

    /**
     * Where to listen, and on how many event loops.
     *
     * @param stopTimeout how long messages in progress may take at the stop
     * @param proxies the networks of load balancers whose PROXY headers are trusted
     */
    record Listening(String host, int port, int eventLoops, Duration stopTimeout, List<Network> proxies) {

        boolean isProxy(InetAddress peer) {
            return proxies.stream().anyMatch(network -> network.contains(peer));
        }
    }

    @Produces
    @Singleton
    Listening listening(SmtpConfig config) {
        return new Listening(
                config.host(),
                between("port", config.port(), 0, PORT_MAX),
                between("event-loops", config.eventLoops(), 0, Integer.MAX_VALUE),
                config.stopTimeout().isZero() ? config.stopTimeout() : positive("stop-timeout", config.stopTimeout()),
                networks("proxy-networks", config.proxyNetworks().orElse(List.of())));
    }

    @Produces
    @Singleton
    SmtpPolicy policy(SmtpConfig config) {
        if (config.hostname().isBlank()) {
            throw new ConfigurationException("oneshot.smtp.hostname must not be blank");
        }
        long postmasterBytesMax =
                octets("postmaster-bytes-max", config.postmasterBytesMax(), 64 * 1024, 16 * 1024 * 1024);
        return new SmtpPolicy(
                config.hostname(),
                authservId(config.authservId()),
                octets("message-bytes-max", config.messageBytesMax(), 64 * 1024, 64 * 1024 * 1024),
                atLeastOne("recipients-max", config.recipientsMax()),
                atLeastOne("messages-max", config.messagesMax()),
                atLeastOne("errors-max", config.errorsMax()),
                between(
                        "commands-max",
                        config.commandsMax(),
                        COMMANDS_BESIDE_RCPT + config.recipientsMax(),
                        Integer.MAX_VALUE),
                (int) octets("header-bytes-max", config.headerBytesMax(), 1024, Integer.MAX_VALUE),
                (int) octets("content-line-bytes-max", config.contentLineBytesMax(), 1000, Integer.MAX_VALUE),
                octets("discard-bytes-max", config.discardBytesMax(), 1, 1 << 30),
                config.postmaster()
                        .map(mailbox -> new SmtpPolicy.Postmaster(postmaster(mailbox), postmasterBytesMax))
                        .orElse(null));
    }

    private static AuthservId authservId(String text) {
        try {
            return AuthservId.of(DomainNames.canonical(text).orElse(text));
        } catch (IllegalArgumentException e) {
            throw bad("authserv-id", "a token such as a host name (RFC 8601 §2.5)", text);
        }
    }

    /** So that each relay takes it, with SMTPUTF8 or without. */
    private static Mailbox postmaster(String text) {
        return Grammar.mailbox(text)
                .filter(mailbox -> !mailbox.isInternational())
                .orElseThrow(() -> bad("postmaster", "a mail address in ASCII", text));
    }

    @Produces
    @Singleton
    Deadlines.Bounds bounds(SmtpConfig config) {
        return new Deadlines.Bounds(
                positive("idle-timeout", config.idleTimeout()),
                positive("data-timeout", config.dataTimeout()),
                positive("data-rate-grace", config.dataRateGrace()),
                octets("data-rate-min", config.dataRateMin(), 0, Integer.MAX_VALUE),
                // Half, so that waiting messages have the other half.
                config.memoryWait().dividedBy(2),
                octets("memory-rate-min", config.memoryRateMin(), 0, Integer.MAX_VALUE));
    }

    @Produces
    @Singleton
    ClientNetworks clientNetworks(SmtpConfig config) {
        return new ClientNetworks(
                new ClientNetworks.Limits(
                        atLeastOne("connections-max", config.connectionsMax()),
                        between("client-prefix-ipv4", config.clientPrefixIpv4(), 1, Integer.SIZE),
                        between("client-prefix-ipv6", config.clientPrefixIpv6(), 1, IPV6_BITS),
                        atLeastOne("connections-per-client-max", config.connectionsPerClientMax()),
                        between("messages-per-client-max", config.messagesPerClientMax(), 0, Integer.MAX_VALUE),
                        between(
                                "unknown-recipients-per-client-max",
                                config.unknownRecipientsPerClientMax(),
                                0,
                                Integer.MAX_VALUE),
                        atLeastOne("client-networks-max", config.clientNetworksMax()),
                        networks("trusted-networks", config.trustedNetworks().orElse(List.of()))),
                System::nanoTime);
    }

    @Produces
    @Singleton
    MessageMemory messageMemory(SmtpConfig config) {
        long messageBytesMax = config.messageBytesMax().asLongValue();
        Duration wait = config.memoryWait();
        if (wait.isNegative() || wait.compareTo(MEMORY_WAIT_MAX) > 0) {
            throw bad("memory-wait", "between 0 and 1 minute", wait);
        }
        return new MessageMemory(
                octets("memory-bytes-max", config.memoryBytesMax(), messageBytesMax + MEBIBYTE, Long.MAX_VALUE),
                messageBytesMax + TRACE_BYTES_MAX,
                wait);
    }

    private static List<Network> networks(String key, List<String> texts) {
        try {
            return texts.stream().map(Network::of).toList();
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException("oneshot.smtp." + key + ": " + e.getMessage());
        }
    }

    private static int atLeastOne(String key, int value) {
        return between(key, value, 1, Integer.MAX_VALUE);
    }

    private static int between(String key, int value, int min, int max) {
        if (value < min || value > max) {
            throw bad(key, max == Integer.MAX_VALUE ? "at least " + min : "between " + min + " and " + max, value);
        }
        return value;
    }

    private static long octets(String key, MemorySize size, long min, long max) {
        long value = size.asLongValue();
        if (value < min || value > max) {
            throw bad(key, "between " + min + " and " + max + " octets", value);
        }
        return value;
    }

    private static Duration positive(String key, Duration value) {
        if (!value.isPositive()) {
            throw bad(key, "more than 0", value);
        }
        return value;
    }

    private static ConfigurationException bad(String key, String wanted, Object value) {
        return new ConfigurationException("oneshot.smtp." + key + " must be " + wanted + ", not " + value);
    }
}
