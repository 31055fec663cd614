package dev.oneshot.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import io.restassured.RestAssured;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The number of time series does not depend on the requests of strangers. */
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
    void randomPathsAndMethodsAreNoLabels() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
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
                    send(client, "GET", path, true);
                    send(client, "GET", path, false);
                    send(client, "PUT", path, true);
                }
                send(client, "OPTIONS", "/v1/addresses/" + random, true);
                send(client, "M" + random, "/v1/addresses", true);
            }
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

    private void send(HttpClient client, String method, String path, boolean authenticated) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + RestAssured.port + path))
                .method(method, BodyPublishers.noBody());
        if (authenticated) {
            request.header("Authorization", "Bearer " + account.apiKey());
        }
        assertThat(client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                        .statusCode())
                .isBetween(204, 429);
    }
}
