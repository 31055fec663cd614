package dev.oneshot.api.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.local.backends.TemporaryBackends;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the packaged service does with connections that are not as they should be: its main class prepares Netty for them. */
class ConnectionsIT {

    private static final Pattern REFUSAL = Pattern.compile(
            "(?is)HTTP/1\\.1 400 .*content-type: application/json\r\n.*connection: close\r\n"
                    + ".*x-request-id: [0-9a-f]{32}\r\n.*\\{\"error\":\\{\"code\":\"VALIDATION_ERROR\",\"message\":\"[^\"]+\"}}");

    private static Replica service;

    @BeforeAll
    static void start() {
        service = Replica.start(
                "connections",
                TemporaryBackends.postgres(),
                TemporaryBackends.kafka(),
                Map.of("QUARKUS_HTTP_READ_TIMEOUT", "2S"));
        service.awaitReady();
    }

    @AfterAll
    static void stop() {
        service.kill();
    }

    @Test
    void whatIsNoUriIsRefusedInTheEnvelope() throws IOException {
        String answer = service.exchange(
                "GET /v1/addresses/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " + key("free")
                        + "\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 400 ")
                .contains("{\"error\":{\"code\":\"VALIDATION_ERROR\"")
                .containsIgnoringCase("\r\nX-Request-Id: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET\r\n\r\n",
                "GET /v1/account HTTP/x\r\nHost: x\r\n\r\n",
                "GET /v1/account HTTP/1.1\r\nHost: x\r\nNo colon\r\n\r\n",
                "GET /v1/account HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                "\u0016\u0003\u0001\u0000\u0001\r\n\r\n",
            })
    void whatIsNoHttpIsRefusedInTheEnvelope(String request) throws IOException {
        assertThat(service.exchange(request)).matches(REFUSAL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET\r\n\r\n",
                "POST /operator/accounts HTTP/x\r\nHost: x\r\n\r\n",
                "PATCH /operator/accounts HTTP/1.1\r\nHost: x\r\nNo colon\r\n\r\n",
                "PRI\r\n\r\n"
            })
    void whatIsNoHttpIsRefusedInTheEnvelopeByTheManagementPortToo(String request) throws IOException {
        assertThat(service.exchangeWithManagement(request)).matches(REFUSAL);
    }

    @Test
    void http2IsSpokenOnTheManagementPortAtOnce() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.managementPort())) {
            // The preface in two pieces, and an empty SETTINGS frame (RFC 9113 §3.4 and §6.5).
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write("SM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII));

            byte[] frame = socket.getInputStream().readNBytes(9);

            assertThat(frame[3]).as("the type of the first frame: SETTINGS").isEqualTo((byte) 4);
        }
    }

    @Test
    void http2IsSpokenOnTheManagementPortAfterAnUpgrade() throws IOException, InterruptedException {
        URI live = URI.create("http://127.0.0.1:" + service.managementPort() + "/q/health/live");
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
            for (int i = 0; i < 2; i++) {
                HttpResponse<String> answer =
                        client.send(HttpRequest.newBuilder(live).build(), HttpResponse.BodyHandlers.ofString());

                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"65600, 10, 414, URI_TOO_LONG, 8000", "10, 66000, 431, HEADER_TOO_LARGE, 16384"})
    void whatIsOverTheDecodersBoundsIsRefusedInTheEnvelope(
            int targetBytes, int headerBytes, int status, String code, String bound) throws IOException {
        String answer = service.exchange("GET /" + "a".repeat(targetBytes) + " HTTP/1.1\r\nHost: x\r\nX: "
                + "a".repeat(headerBytes) + "\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 " + status + " ").contains(code, "at most " + bound + " bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked\r\n\r\nx\r\n{}\r\n0\r\n\r\n", "chunked\r\nContent-Length: 2\r\n\r\n{}"})
    void bodyWhoseEndNobodyCanTellIsRefusedInTheEnvelopeAndCreatesNothing(String codingAndBody) throws IOException {
        String key = key("scale");

        String answer = service.exchange("POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Authorization: Bearer " + key + "\r\nTransfer-Encoding: " + codingAndBody);

        assertThat(answer)
                .startsWith("HTTP/1.1 400 ")
                .contains("{\"error\":{\"code\":\"VALIDATION_ERROR\"")
                .containsIgnoringCase("\r\nX-Request-Id: ");
        assertThat(service.send("GET", "/v1/account", key, "").body()).contains("\"used\":0");
    }

    @ParameterizedTest
    @CsvSource({"Content-Length: 100, 10", "Content-Length: 200000, 70000", "Transfer-Encoding: chunked, 70000"})
    void clientThatFallsSilentIsCutOffAndNoFailureOfOurs(String length, int sent) throws IOException {
        String answer = service.exchange("POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Authorization: Bearer " + key("scale") + "\r\n" + length + "\r\n\r\n"
                + (length.startsWith("T") ? "200000\r\n" : "") + "{\"label\":\"" + "x".repeat(sent));

        assertThat(answer).matches("(?s)|HTTP/1\\.1 408 .*");
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(service.metrics())
                                .containsPattern(
                                        "http_server_requests_seconds_count\\{.*outcome=\"CLIENT_ERROR\".*status=\"(RESET|408)\""));
        assertThat(service.metrics()).doesNotContainPattern("http_server_requests_seconds_count\\{.*status=\"5");
        assertThat(service.log()).doesNotContain("request failed");
    }

    private static String key(String plan) {
        HttpResponse<String> created =
                service.operate("POST", "/accounts", "{\"name\":\"test\",\"plan\":\"" + plan + "\"}");
        assertThat(created.statusCode()).isEqualTo(201);
        return JsonPath.from(created.body()).getString("api_key");
    }
}
