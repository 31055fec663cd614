package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;
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
                "port                              | -1                       | 0",
                "port                              | 65536                    | 65535",
                "event-loops                       | -1                       | 0",
                "stop-timeout                      | -1s                      | 0s",
                "hostname                          | ' '                      | x",
                "authserv-id                       | mx example               | mx.example",
                "authserv-id                       | 'mx.example; x'          | mx.example",
                "message-bytes-max                 | 65535                    | 65536",
                "message-bytes-max                 | 67108865                 | 67108864",
                "recipients-max                    | 0                        | 1",
                "messages-max                      | 0                        | 1",
                "errors-max                        | 0                        | 1",
                "commands-max                      | 109                      | 110",
                "postmaster                        | nobody                   | ops@example.org",
                "postmaster                        | p\u00f6st@example.org    | ops@example.org",
                "postmaster                        | <ops@example.org>        | ops@example.org",
                "postmaster                        | '@relay:ops@example.org' | ops@example.org",
                "postmaster                        | ops@example.org>         | ops@example.org",
                "postmaster-bytes-max              | 65535                    | 65536",
                "postmaster-bytes-max              | 16777217                 | 16777216",
                "header-bytes-max                  | 1023                     | 1024",
                "content-line-bytes-max            | 999                      | 1000",
                "discard-bytes-max                 | 0                        | 1",
                "discard-bytes-max                 | 1073741825               | 1073741824",
                "memory-bytes-max                  | 34603007                 | 34603008",
                "memory-wait                       | -1ms                     | 0s",
                "memory-wait                       | 60001ms                  | 1m",
                "memory-rate-min                   | 2147483648               | 0",
                "memory-rate-min                   | 2147483648               | 2147483647",
                "connections-max                   | 0                        | 1",
                "connections-per-client-max        | 0                        | 1",
                "messages-per-client-max           | -1                       | 0",
                "unknown-recipients-per-client-max | -1                       | 0",
                "client-prefix-ipv4                | 33                       | 32",
                "client-prefix-ipv6                | 129                      | 128",
                "client-networks-max               | 0                        | 1",
                "trusted-networks                  | 10.0.0.0/33              | 10.0.0.0/32",
                "idle-timeout                      | 0s                       | 1ms",
                "data-timeout                      | 0s                       | 1ms",
                "data-rate-min                     | 2147483648               | 0",
                "data-rate-min                     | 2147483648               | 2147483647",
                "data-rate-grace                   | 0s                       | 1ms",
                "proxy-networks                    | 10.0.0.0/33              | 10.0.0.0/32",
            })
    void valueAtABoundIsTakenAndOneBeyondItIsRefusedByName(String key, String beyond, String at) {
        assertThatThrownBy(() -> check(key, beyond))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("oneshot.smtp." + key);
        assertThatCode(() -> check(key, at)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"in.example, in.example", "B\u00FCcher.example, xn--bcher-kva.example"})
    void ownResultsBearTheReceiveDomainWhateverTheHostIsCalled(String receiveDomain, String authservId) {
        SmtpConfig config =
                SmtpTestServer.config(Map.of("hostname", "mx1.example", "oneshot.receive-domain", receiveDomain));

        assertThat(new SmtpSettings().policy(config).authservId()).hasToString(authservId);
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
        settings.clientNetworks(config);
        settings.messageMemory(config);
        settings.listening(config);
    }
}
