package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigValidationException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** Each setting of the server at its bounds: what is beyond them stops the start, and the message names the key. */
class SmtpSettingsTest {

    @ParameterizedTest
    @CsvFileSource(resources = "/smtp-settings.txt", delimiter = '|', quoteCharacter = '\'')
    void valueAtABoundIsTakenAndOneBeyondItIsRefusedByName(String key, String beyond, String at) {
        assertThatThrownBy(() -> check(key, beyond))
                .isInstanceOfAny(ConfigurationException.class, ConfigValidationException.class)
                .hasMessageContaining("oneshot.smtp." + key);
        assertThatCode(() -> check(key, at)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "oneshot.authentication.timeout, 0.0009S, 0.001S",
        "oneshot.authentication.timeout, 60.001S, 60S",
        "oneshot.dns.query-timeout, 0.0009S, 0.001S",
        "oneshot.dns.query-timeout, 60.001S, 60S",
        "oneshot.dns.cache-bytes-max, 65535, 65536",
    })
    void settingOfTheVerdictsIsTakenAtABoundAndRefusedBeyondItByName(String key, String beyond, String at) {
        assertThatThrownBy(() -> checkVerdicts(key, beyond))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(key + " must be ");
        assertThatCode(() -> checkVerdicts(key, at)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"in.example, in.example", "B\u00FCcher.example, xn--bcher-kva.example"})
    void ownResultsBearTheReceiveDomainWhateverTheHostIsCalled(String receiveDomain, String authservId) {
        SmtpConfig config =
                SmtpTestServer.config(Map.of("hostname", "mx1.example", "oneshot.receive-domain", receiveDomain));

        assertThat(new SmtpSettings(config).policy().authservId()).hasToString(authservId);
    }

    private static void checkVerdicts(String key, String value) {
        SmtpTestServer.authentication(
                Map.of("oneshot.dns.servers", "127.0.0.1:5353", key, value),
                _ -> CompletableFuture.completedFuture(DeliveryOutcome.STORED),
                new SmtpSettings(SmtpTestServer.config(Map.of())).policy());
    }

    private static void check(String key, String value) {
        Map<String, String> given = new HashMap<>(Map.of(key, value));
        // Which has to hold the largest message.
        given.putIfAbsent("memory-bytes-max", key.equals("message-bytes-max") ? "65M" : "64M");
        SmtpSettings settings = new SmtpSettings(SmtpTestServer.config(given));
        settings.policy();
        settings.clientNetworks();
    }
}
