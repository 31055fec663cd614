package dev.oneshot.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.RawResponse;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The number of time series does not depend on the requests of strangers. */
@ServiceTest
class RequestMetricsTest {

    private static final int ROUNDS = 100;
    private static final Pattern RANDOM = Pattern.compile("[0-9a-f]{32}");

    private final TestAccount account = TestAccount.onPlan("scale");

    @Test
    void randomPathsAndMethodsAreNoLabels() {
        for (int round = 0; round < ROUNDS; round++) {
            String random = UUID.randomUUID().toString().replace("-", "");
            for (String path : new String[] {
                "/v1/addresses/" + random,
                "/v1/addresses/" + random + "/email/attachments/" + round,
                "/v1/addresses/" + random + "/" + random,
                "/v1/" + random,
                "/" + random + "/" + random,
                "/openapi/" + random,
                "/console/" + random,
                "/q/" + random,
            }) {
                send("GET", path, true);
                send("GET", path, false);
                send("PUT", path, true);
            }
            send("OPTIONS", "/v1/addresses/" + random, true);
            send("M" + random, "/v1/addresses", true);
        }

        String metrics = TestAccount.management().get("/q/metrics").asString();
        assertThat(metrics.lines().filter(line -> line.startsWith("http_server_requests_seconds_count")))
                .anyMatch(line -> line.contains("uri=\"/v1/addresses/{id}\""))
                .anyMatch(line -> line.contains("uri=\"/other\""))
                .noneMatch(RANDOM.asPredicate())
                .hasSizeLessThan(150);
    }

    private void send(String method, String path, boolean authenticated) {
        RawResponse response = authenticated ? account.send(method, path) : RawHttp.send(method, path);
        assertThat(response.status()).isBetween(204, 429);
    }
}
