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

/** Each setting of the server at its bounds. A value beyond them stops the start, and the message names the key. */
class SmtpSettingsTest {

    /** A key without {@code oneshot.} is one of {@code oneshot.smtp}. */
    @ParameterizedTest
    @CsvFileSource(resources = "/smtp-settings.txt", delimiter = '|', quoteCharacter = '\'')
    void valueAtABoundIsTakenAndOneBeyondItIsRefusedByName(String key, String beyond, String at) {
        assertThatThrownBy(() -> check(key, beyond))
                .isInstanceOfAny(ConfigurationException.class, ConfigValidationException.class)
                .hasMessageContaining(key.startsWith("oneshot.") ? key : "oneshot.smtp." + key);
        assertThatCode(() -> check(key, at)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"in.example, in.example", "B\u00FCcher.example, xn--bcher-kva.example"})
    void ownResultsBearTheReceiveDomainWhateverTheHostIsCalled(String receiveDomain, String authservId) {
        SmtpConfig config =
                SmtpTestServer.config(Map.of("hostname", "mx1.example", "oneshot.receive-domain", receiveDomain));

        assertThat(new SmtpSettings(config).policy().authservId()).hasToString(authservId);
    }

    private static void check(String key, String value) {
        Map<String, String> given = new HashMap<>(Map.of("oneshot.dns.servers", "127.0.0.1:5353", key, value));
        // The memory must hold the largest message.
        given.putIfAbsent("memory-bytes-max", key.equals("message-bytes-max") ? "65M" : "64M");
        SmtpSettings settings = new SmtpSettings(SmtpTestServer.config(given));
        settings.clientNetworks();
        SmtpTestServer.authentication(
                given, _ -> CompletableFuture.completedFuture(DeliveryOutcome.STORED), settings.policy());
    }
}
