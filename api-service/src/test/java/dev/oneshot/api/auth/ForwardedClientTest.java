package dev.oneshot.api.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.OtherSettings;
import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import io.quarkus.test.junit.TestProfile;
import java.net.http.HttpClient;
import org.junit.jupiter.api.Test;

/** Guessed keys behind a trusted proxy, configured as by the chart, and behind an untrusted one. */
@ServiceTest
@TestProfile(OtherSettings.class)
class ForwardedClientTest {

    @Test
    void clientsBehindATrustedProxyAreCountedApart() {
        try (HttpClient proxy = GuessedKeysTest.clientAt("127.0.0.2")) {
            GuessedKeysTest.guessUntilRefused(proxy, _ -> forwardedFor(7));

            RawHttp.readAccount(proxy, GuessedKeysTest.guess(), forwardedFor(8)).has(401);
        }
    }

    @Test
    void untrustedPeerIsCountedByItsOwnAddress() {
        try (HttpClient liar = GuessedKeysTest.clientAt("127.0.0.3")) {
            // More clients than single refusals could cover.
            int guesses = GuessedKeysTest.guessUntilRefused(liar, guess -> forwardedFor(guess % 250));

            assertThat(guesses).isPositive();
        }
    }

    private static String[] forwardedFor(int host) {
        return new String[] {"X-Forwarded-For: 203.0.113." + host};
    }
}
