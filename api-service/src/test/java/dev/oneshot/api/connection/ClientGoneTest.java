package dev.oneshot.api.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestMail;
import dev.oneshot.api.TestMetrics;
import dev.oneshot.testing.LogLines;
import dev.oneshot.testing.RawConnection;
import dev.oneshot.testing.SlowReader;
import io.restassured.RestAssured;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that close in the middle are no failure in the log or in the metrics. */
@ServiceTest
class ClientGoneTest {

    private static final Pattern FAILURE = Pattern.compile(
            "http_server_requests_seconds_count\\{.*status=\"5.*|oneshot_api_refusals_total\\{.*INTERNAL_ERROR.*");
    private static final Pattern REQUEST = Pattern.compile("http_server_requests_seconds_count\\{.*");

    private final TestAccount account = TestAccount.onPlan("scale");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/addresses | Content-Length: 1048576 | '' | 131072",
                "/v1/addresses | Transfer-Encoding: chunked | 100000 | 131072",
                "/v1/addresses | Content-Length: 100 | '' | 10",
                "/v1/addresses | Transfer-Encoding: chunked | 64 | 10",
                "/v1/account/credits | Content-Length: 100 | '' | 10",
                "/v1/account/credits | Transfer-Encoding: chunked | 64 | 10",
                "/operator/accounts | Content-Length: 1000 | '' | 100"
            })
    void whileItSendsABody(String path, String length, String chunk, int bytes) throws Exception {
        boolean isOperators = path.startsWith("/operator");
        int port = isOperators ? RawHttp.managementPort() : RestAssured.port;
        String request =
                "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                        + (isOperators ? TestAccount.OPERATOR_TOKEN : account.apiKey()) + "\r\n" + length + "\r\n\r\n"
                        + (chunk.isEmpty() ? "" : chunk + "\r\n") + "{\"label\":\"" + "x".repeat(bytes);

        assertThatItIsNoFailure(() -> RawConnection.begin(port, request));
    }

    @Test
    void whileItReceives() throws Exception {
        String id = account.waitingAddress(600);
        account.receive(TestMail.large(id));

        for (String path : List.of("/email/raw", "/email/attachments/0", "/email")) {
            assertThatItIsNoFailure(() -> {
                Socket socket = SlowReader.request(RestAssured.port, "/v1/addresses/" + id + path, account.apiKey());
                assertThat(socket.getInputStream().readNBytes(1000)).startsWith("HTTP/1.1 20".getBytes(US_ASCII));
                return socket;
            });
        }
    }

    private static void assertThatItIsNoFailure(Callable<Socket> client) throws Exception {
        for (boolean atOnce : List.of(false, true)) {
            double requests = TestMetrics.sum(REQUEST);
            double failures = TestMetrics.sum(FAILURE);
            try (LogLines log = LogLines.of("")) {
                Socket socket = client.call();
                // Without this setting the kernel acknowledges further bytes, and resets the connection if they are
                // not read.
                socket.setSoLinger(atOnce, 0);
                socket.close();

                await().untilAsserted(() -> assertThat(TestMetrics.sum(REQUEST)).isGreaterThan(requests));
                assertThat(TestMetrics.sum(FAILURE)).isEqualTo(failures);
                assertThat(log.lines())
                        .filteredOn(line -> line.getLevel().intValue() > Level.INFO.intValue())
                        .extracting(line -> line.getLoggerName() + " " + line.getMessage())
                        .isEmpty();
            }
        }
    }
}
