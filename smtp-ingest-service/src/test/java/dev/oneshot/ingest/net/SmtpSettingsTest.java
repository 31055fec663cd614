package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each setting of the server at its bounds: what is beyond them stops the start, and the message names the key. */
class SmtpSettingsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "port                       | -1",
                "port                       | 65536",
                "event-loops                | -1",
                "stop-timeout               | -1s",
                "hostname                   | ' '",
                "authserv-id                | mx example",
                "authserv-id                | 'mx.example; x'",
                "message-bytes-max          | 65535",
                "message-bytes-max          | 67108865",
                "recipients-max             | 0",
                "messages-max               | 0",
                "errors-max                 | 0",
                "commands-max               | 109",
                "postmaster                 | nobody",
                "postmaster                 | p\u00f6st@example.org",
                "postmaster                 | <ops@example.org>",
                "postmaster                 | '@relay:ops@example.org'",
                "postmaster                 | ops@example.org>",
                "postmaster-bytes-max       | 65535",
                "postmaster-bytes-max       | 16777217",
                "header-bytes-max           | 1023",
                "content-line-bytes-max     | 999",
                "discard-bytes-max          | 0",
                "discard-bytes-max          | 1073741825",
                "memory-bytes-max           | 34603007",
                "memory-wait                | -1ms",
                "memory-wait                | 60001ms",
                "memory-rate-min            | 2147483648",
                "connections-max            | 0",
                "connections-per-client-max | 0",
                "messages-per-client-max    | -1",
                "unknown-recipients-per-client-max | -1",
                "client-prefix-ipv4         | 33",
                "client-prefix-ipv6         | 129",
                "client-networks-max        | 0",
                "trusted-networks           | 10.0.0.0/33",
                "idle-timeout               | 0s",
                "data-timeout               | 0s",
                "data-rate-min              | 2147483648",
                "data-rate-grace            | 0s",
                "proxy-networks             | 10.0.0.0/33",
            })
    void valueBeyondABoundIsRefusedByName(String key, String value) {
        assertThatThrownBy(() -> check(key, value))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("oneshot.smtp." + key);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "port                       | 0",
                "port                       | 65535",
                "event-loops                | 0",
                "stop-timeout               | 0s",
                "hostname                   | x",
                "authserv-id                | mx.example",
                "message-bytes-max          | 65536",
                "message-bytes-max          | 67108864",
                "recipients-max             | 1",
                "messages-max               | 1",
                "errors-max                 | 1",
                "commands-max               | 110",
                "postmaster                 | ops@example.org",
                "postmaster-bytes-max       | 65536",
                "postmaster-bytes-max       | 16777216",
                "header-bytes-max           | 1024",
                "content-line-bytes-max     | 1000",
                "discard-bytes-max          | 1",
                "discard-bytes-max          | 1073741824",
                "memory-bytes-max           | 34603008",
                "memory-wait                | 0s",
                "memory-wait                | 1m",
                "memory-rate-min            | 0",
                "memory-rate-min            | 2147483647",
                "connections-max            | 1",
                "connections-per-client-max | 1",
                "messages-per-client-max    | 0",
                "unknown-recipients-per-client-max | 0",
                "client-prefix-ipv4         | 32",
                "client-prefix-ipv6         | 128",
                "client-networks-max        | 1",
                "trusted-networks           | 10.0.0.0/32",
                "idle-timeout               | 1ms",
                "data-timeout               | 1ms",
                "data-rate-min              | 0",
                "data-rate-min              | 2147483647",
                "data-rate-grace            | 1ms",
                "proxy-networks             | 10.0.0.0/32",
            })
    void valueAtABoundIsTaken(String key, String value) {
        assertThatCode(() -> check(key, value)).doesNotThrowAnyException();
    }

    private static void check(String key, String value) {
        Map<String, String> given = new HashMap<>(Map.of(key, value));
        // Which has to hold the largest message.
        given.putIfAbsent("memory-bytes-max", key.equals("message-bytes-max") ? "65M" : "64M");
        SmtpConfig config = SmtpTestServer.config(given);
        SmtpSettings settings = new SmtpSettings();
        settings.listening(config);
        settings.policy(config);
        settings.bounds(config);
        settings.connectionCounts(config);
        settings.messageMemory(config);
        settings.listening(config);
    }
}
