package dev.oneshot.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestMail;
import dev.oneshot.api.TestMetrics;
import dev.oneshot.testing.LogLines;
import io.restassured.RestAssured;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that close in the middle are no failure in the log or in the metrics. */
@ServiceTest
class ClientGoneTest {

    private static final int RECEIVE_BUFFER_BYTES = 8 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Pattern FAILURE = Pattern.compile(
            "http_server_requests_seconds_count\\{.*status=\"5.*|oneshot_api_refusals_total\\{.*INTERNAL_ERROR.*");
    private static final Pattern REQUEST = Pattern.compile("http_server_requests_seconds_count\\{.*");

    private final TestAccount account = TestAccount.onPlan("scale");

    /** How a client closes. */
    enum End {
        /** Gracefully: its kernel acknowledges more bytes, and resets the connection if it does not read them. */
        CLOSE,
        /** At once. */
        RESET
    }

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
        int port = isOperators
                ? ConfigProvider.getConfig().getValue("quarkus.management.test-port", Integer.class)
                : RestAssured.port;
        String begin = length + "\r\n\r\n" + (chunk.isEmpty() ? "" : chunk + "\r\n") + "{\"label\":\"";
        for (End end : End.values()) {
            assertThatItIsNoFailure(() -> leaveSending(
                    end, port, path, isOperators ? TestAccount.OPERATOR_TOKEN : account.apiKey(), begin, bytes));
        }
    }

    @Test
    void whileItReceives() throws Exception {
        String id = account.waitingAddress(600);
        account.receive(TestMail.large(id));
        for (String wanted :
                List.of("/email/raw HTTP/1.1\r\n", "/email/attachments/0 HTTP/1.1\r\n", "/email HTTP/1.1\r\n")) {
            for (End end : End.values()) {
                assertThatItIsNoFailure(() -> leaveReceiving(end, "/v1/addresses/" + id + wanted));
            }
        }
    }

    private static void leaveSending(End end, int port, String path, String key, String beginning, int more)
            throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            send(
                    socket,
                    "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                            + key + "\r\n" + beginning + "x".repeat(more));
            leave(socket, end);
        }
    }

    private void leaveReceiving(End end, String target) throws IOException {
        try (Socket socket = new Socket()) {
            // Before the connect, or the service may send too much.
            socket.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), RestAssured.port));
            send(socket, "GET " + target + "Host: x\r\nAuthorization: Bearer " + account.apiKey() + "\r\n\r\n");
            assertThat(socket.getInputStream().readNBytes(1000))
                    .startsWith("HTTP/1.1 20".getBytes(StandardCharsets.US_ASCII));
            leave(socket, end);
        }
    }

    private static void send(Socket socket, String octets) throws IOException {
        socket.getOutputStream().write(octets.getBytes(StandardCharsets.US_ASCII));
    }

    private static void leave(Socket socket, End end) throws IOException {
        if (end == End.RESET) {
            socket.setSoLinger(true, 0);
        }
        socket.close();
    }

    @FunctionalInterface
    private interface Leaving {
        void leave() throws IOException;
    }

    private static void assertThatItIsNoFailure(Leaving client) throws IOException {
        double requests = TestMetrics.sum(REQUEST);
        double failures = TestMetrics.sum(FAILURE);
        try (LogLines log = LogLines.of("")) {
            client.leave();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(TestMetrics.sum(REQUEST)).isGreaterThan(requests));
            assertThat(TestMetrics.sum(FAILURE)).isEqualTo(failures);
            assertThat(log.lines())
                    .filteredOn(line -> line.getLevel().intValue() > Level.INFO.intValue())
                    .extracting(line -> line.getLoggerName() + " " + line.getMessage())
                    .isEmpty();
        }
    }
}
