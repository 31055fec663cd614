package dev.oneshot.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.RawResponse;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The number of time series does not depend on what clients request. */
@ServiceTest
class RequestMetricsTest {

    private static final int ROUNDS = 100;
    private static final Pattern URI_LABEL = Pattern.compile("http_server_requests[^{]*\\{[^}]*uri=\"([^\"]*)\"");

    /** Besides the resources; Quarkus has its own names for /, redirects and some missing paths. */
    private static final List<String> ELSEWHERE = List.of(
            "root",
            "NOT_FOUND",
            "REDIRECTION",
            "/other",
            "/console",
            "/openapi",
            "/operator/accounts",
            "/operator/accounts/{id}",
            "/operator/accounts/{id}/credits",
            "/operator/accounts/{id}/api-key",
            "/operator/sends");

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
        Set<String> labels = new TreeSet<>();
        URI_LABEL.matcher(metrics).results().forEach(found -> labels.add(found.group(1)));
        assertThat(labels)
                .contains("/v1/addresses/{id}", "/other")
                .isSubsetOf(Stream.concat(OfferedPath.ALL.stream().map(OfferedPath::template), ELSEWHERE.stream())
                        .toList());
        assertThat(metrics.lines()
                        .filter(line -> line.startsWith("http_server_requests_seconds_count"))
                        .toList())
                .allMatch(line -> !line.matches(".*method=\"M[0-9a-f].*"))
                .hasSizeLessThan(150);
    }

    private void send(String method, String path, boolean authenticated) {
        RawResponse response = authenticated ? account.send(method, path) : RawHttp.send(method, path);
        assertThat(response.status()).isBetween(204, 429);
    }
}
