package dev.oneshot.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.oneshot.api.OtherSettings;
import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestSettings;
import io.quarkus.test.junit.TestProfile;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
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

    private static HttpResponse<byte[]> preflight(String origin) throws Exception {
        return RawHttp.send(RawHttp.to("/v1/addresses")
                .header("Origin", origin)
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "authorization,content-type")
                .method("OPTIONS", BodyPublishers.noBody()));
    }

    @ParameterizedTest
    @ValueSource(strings = {ORIGIN, "http://localhost:5173", "http://[::1]:3000"})
    void preflightNeedsNoKey(String origin) throws Exception {
        HttpResponse<byte[]> preflight = preflight(origin);

        assertThat(preflight.statusCode()).isEqualTo(204);
        assertThat(preflight.headers().allValues(ALLOWED)).containsExactly(origin);
        assertThat(preflight.headers().firstValue("Access-Control-Allow-Methods"))
                .contains("DELETE, GET, HEAD, POST");
        assertThat(preflight.headers().firstValue("Access-Control-Allow-Headers"))
                .hasValueSatisfying(fields -> assertThat(fields)
                        .contains("Authorization", "Content-Type", "Idempotency-Key", "If-None-Match"));
        assertThat(preflight.headers().firstValue("X-Request-Id")).isPresent();
    }

    @Test
    void preflightOfAnotherOriginNeedsAKeyAsEveryRequest() throws Exception {
        HttpResponse<byte[]> preflight = preflight("https://app.example.com.evil.example");

        assertThat(preflight.statusCode()).isEqualTo(401);
        assertThat(preflight.headers().allValues(ALLOWED)).isEmpty();
    }

    @Test
    void responsesAndErrorsAreReadableForTheOrigin() throws Exception {
        HttpResponse<byte[]> created = RawHttp.send(RawHttp.to("/v1/addresses")
                .header("Origin", ORIGIN)
                .header("Authorization", "Bearer " + account.apiKey())
                .POST(BodyPublishers.noBody()));
        HttpResponse<byte[]> unauthorized = RawHttp.send(
                RawHttp.to("/v1/addresses").header("Origin", ORIGIN).GET());

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(unauthorized.statusCode()).isEqualTo(401);
        for (HttpResponse<byte[]> response : List.of(created, unauthorized)) {
            assertThat(response.headers().allValues(ALLOWED)).containsExactly(ORIGIN);
            assertThat(response.headers().allValues("Vary")).contains("Origin");
            assertThat(response.headers().firstValue("Access-Control-Expose-Headers"))
                    .hasValueSatisfying(fields -> assertThat(fields)
                            .contains("ETag", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-Id"));
        }
    }

    @Test
    void requestsOfOtherOriginsAreServedWithoutCors() throws Exception {
        HttpResponse<byte[]> response = RawHttp.send(RawHttp.to("/v1/addresses")
                .header("Origin", "https://other.example")
                .header("Authorization", "Bearer " + account.apiKey())
                .GET());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().allValues(ALLOWED)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"app.example.com", "https://app.example.com/", "https://*.example.com", "https://"})
    void whatIsNoOriginStopsTheStart(String origin) {
        HttpConfig config = TestSettings.of(HttpConfig.class, "cors-origins=" + origin);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CrossOrigin(config))
                .withMessageContaining("oneshot.http.cors-origins");
    }
}
