package dev.oneshot.api.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.OtherSettings;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.account.SampleKeys;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Guessed keys behind a trusted proxy, configured as by the chart, and behind an untrusted one. */
@ServiceTest
@TestProfile(OtherSettings.class)
class ForwardedClientTest {

    private static final int GUESSES_MAX = 5_000;

    @Test
    void clientsBehindATrustedProxyAreCountedApart() throws Exception {
        try (HttpClient proxy = GuessedKeysTest.clientAt("127.0.0.2")) {
            guessUntilRefused(proxy, "203.0.113.7");

            assertThat(guess(proxy, "203.0.113.8")).isEqualTo(401);
        }
    }

    @Test
    void whoeverElseNamesAClientIsCountedHimself() throws Exception {
        try (HttpClient liar = GuessedKeysTest.clientAt("127.0.0.3")) {
            int guesses = 0;
            // More clients than single refusals could cover.
            while (guess(liar, "203.0.113." + guesses % 250) == 401) {
                assertThat(++guesses).isLessThan(GUESSES_MAX);
            }
            assertThat(guesses).isPositive();
        }
    }

    private void guessUntilRefused(HttpClient client, String forwardedFor) throws IOException, InterruptedException {
        int guesses = 0;
        while (guess(client, forwardedFor) == 401) {
            assertThat(++guesses).isLessThan(GUESSES_MAX);
        }
    }

    private int guess(HttpClient client, String forwardedFor) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + RestAssured.port + "/v1/account"))
                                .header(
                                        "Authorization",
                                        "Bearer " + SampleKeys.unsigned().reveal())
                                .header("X-Forwarded-For", forwardedFor)
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
