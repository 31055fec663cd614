package dev.oneshot.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.api.OtherSettings;
import dev.oneshot.api.RawHttp;
import dev.oneshot.api.RawResponse;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.testing.TestSettings;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
@TestProfile(OtherSettings.class)
class CrossOriginTest {

    private static final String ORIGIN = OtherSettings.ORIGIN;
    private static final String ALLOWED = "Access-Control-Allow-Origin";

    private final TestAccount account = TestAccount.onPlan("scale");

    private static RawResponse preflight(String origin) {
        return RawHttp.send(
                "OPTIONS",
                "/v1/addresses",
                "Origin: " + origin,
                "Access-Control-Request-Method: POST",
                "Access-Control-Request-Headers: authorization,content-type");
    }

    @ParameterizedTest
    @ValueSource(strings = {ORIGIN, "http://localhost:5173", "http://[::1]:3000"})
    void preflightNeedsNoKey(String origin) {
        RawResponse preflight = preflight(origin)
                .has(204, ALLOWED + ": " + origin, "Access-Control-Allow-Methods: DELETE, GET, HEAD, POST");

        assertThat(preflight.only("Access-Control-Allow-Headers"))
                .contains("Authorization", "Content-Type", "Idempotency-Key", "If-None-Match");
        assertThat(preflight.only("X-Request-Id")).isNotBlank();
    }

    @Test
    void preflightOfAnotherOriginNeedsAKeyAsEveryRequest() {
        preflight("https://app.example.com.evil.example").has(401).lacks(ALLOWED);
    }

    @Test
    void responsesAndErrorsAreReadableForTheOrigin() {
        for (RawResponse response : List.of(
                account.send("POST", "/v1/addresses", "Origin: " + ORIGIN).has(201),
                RawHttp.send("GET", "/v1/addresses", "Origin: " + ORIGIN).has(401))) {
            assertThat(response.only(ALLOWED)).isEqualTo(ORIGIN);
            assertThat(response.all("Vary")).contains("Origin");
            assertThat(response.only("Access-Control-Expose-Headers"))
                    .contains("ETag", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-Id");
        }
    }

    @Test
    void requestsOfOtherOriginsAreServedWithoutCors() {
        account.send("GET", "/v1/addresses", "Origin: https://other.example")
                .has(200)
                .lacks(ALLOWED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"app.example.com", "https://app.example.com/", "https://*.example.com", "https://"})
    void whatIsNoOriginStopsTheStart(String origin) {
        CrossOrigin.Config config = TestSettings.of(CrossOrigin.Config.class, "cors-origins=" + origin);

        assertThatThrownBy(() -> new CrossOrigin(config))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("oneshot.http.cors-origins");
    }
}
