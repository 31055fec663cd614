package dev.oneshot.ingest.net;

import dev.oneshot.authentication.dns.DomainNames;
import dev.oneshot.authentication.results.AuthservId;
import dev.oneshot.contracts.setting.ValidSetting;
import dev.oneshot.ingest.memory.MessageMemory;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.command.Grammar;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Checks {@link SmtpConfig} and converts it for the parts of the server. */
@Singleton
final class SmtpSettings {

    // EHLO, STARTTLS, EHLO, MAIL, DATA, QUIT, and a few more.
    private static final int COMMANDS_BESIDES_RCPT = 10;
    private static final int IPV6_BITS = 128;
    private static final long KIBIBYTE = 1024;
    private static final long MEBIBYTE = 1024 * KIBIBYTE;
    private static final long INT_MAX = Integer.MAX_VALUE;
    private static final long DISCARD_BYTES_MAX = 64 * MEBIBYTE;
    private static final long POSTMASTER_BYTES_MAX = 2 * MEBIBYTE;
    // Trace fields have two mailboxes, and are far shorter than this.
    private static final long TRACE_BYTES_MAX = 64 * KIBIBYTE;
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(1);
    // Clients wait 3 minutes for the server to read the data (RFC 5321 §4.5.3.2.5).
    private static final Duration MEMORY_WAIT_MAX = Duration.ofMinutes(1);

    private final SmtpConfig config;

    SmtpSettings(SmtpConfig config) {
        this.config = config;
        long messageBytesMax = config.messageBytesMax().asLongValue();
        check("port", config.port(), 0, 65_535);
        check("message-bytes-max", messageBytesMax, 64 * KIBIBYTE, 64 * MEBIBYTE);
        check("recipients-max", config.recipientsMax(), 1, Integer.MAX_VALUE);
        check("messages-max", config.messagesMax(), 1, Integer.MAX_VALUE);
        check("errors-max", config.errorsMax(), 1, Integer.MAX_VALUE);
        check("commands-max", config.commandsMax(), COMMANDS_BESIDES_RCPT + config.recipientsMax(), Integer.MAX_VALUE);
        check("header-bytes-max", config.headerBytesMax().asLongValue(), KIBIBYTE, INT_MAX);
        check("content-line-bytes-max", config.contentLineBytesMax().asLongValue(), 1000L, INT_MAX);
        check("memory-bytes-max", config.memoryBytesMax().asLongValue(), messageBytesMax + MEBIBYTE, Long.MAX_VALUE);
        check("memory-wait", config.memoryWait(), Duration.ZERO, MEMORY_WAIT_MAX);
        check("connections-max", config.connectionsMax(), 1, Integer.MAX_VALUE);
        check("connections-per-client-max", config.connectionsPerClientMax(), 1, Integer.MAX_VALUE);
        check("messages-per-client-max", config.messagesPerClientMax(), 0, Integer.MAX_VALUE);
        check("unknown-recipients-per-client-max", config.unknownRecipientsPerClientMax(), 0, Integer.MAX_VALUE);
        check("client-prefix-ipv4", config.clientPrefixIpv4(), 1, Integer.SIZE);
        check("client-prefix-ipv6", config.clientPrefixIpv6(), 1, IPV6_BITS);
        check("idle-timeout", config.idleTimeout(), SHORTEST, LONGEST);
        check("data-timeout", config.dataTimeout(), SHORTEST, LONGEST);
        check("data-rate-min", config.dataRateMin().asLongValue(), 0L, INT_MAX);
        check("data-rate-grace", config.dataRateGrace(), SHORTEST, LONGEST);
        check("stop-timeout", config.stopTimeout(), Duration.ZERO, LONGEST);
    }

    @Produces
    @Singleton
    SmtpPolicy policy() {
        ValidSetting.require(!config.hostname().isBlank(), "oneshot.smtp.hostname must not be blank");
        return new SmtpPolicy(
                config.hostname(),
                authservId(config.authservId()),
                config.messageBytesMax().asLongValue(),
                config.recipientsMax(),
                config.messagesMax(),
                config.errorsMax(),
                config.commandsMax(),
                (int) config.headerBytesMax().asLongValue(),
                (int) config.contentLineBytesMax().asLongValue(),
                DISCARD_BYTES_MAX,
                config.postmaster()
                        .map(mailbox -> new SmtpPolicy.Postmaster(postmaster(mailbox), POSTMASTER_BYTES_MAX))
                        .orElse(null));
    }

    private static AuthservId authservId(String text) {
        return ValidSetting.made(
                "oneshot.smtp.authserv-id",
                () -> AuthservId.of(DomainNames.canonical(text).orElse(text)));
    }

    /** In ASCII, so that relays without SMTPUTF8 accept it. */
    private static Mailbox postmaster(String text) {
        return Grammar.mailbox(text)
                .filter(mailbox -> !mailbox.isInternational())
                .orElseThrow(() -> new ConfigurationException(
                        "oneshot.smtp.postmaster must be a mail address in ASCII, not " + text));
    }

    @Produces
    @Singleton
    ClientNetworks clientNetworks() {
        return new ClientNetworks(config, System::nanoTime);
    }

    @Produces
    @Singleton
    MessageMemory messageMemory() {
        return new MessageMemory(
                config.memoryBytesMax().asLongValue(),
                config.messageBytesMax().asLongValue() + TRACE_BYTES_MAX,
                config.memoryWait());
    }

    private static <T extends Comparable<T>> void check(String key, T value, T min, T max) {
        ValidSetting.between("oneshot.smtp." + key, value, min, max);
    }
}
