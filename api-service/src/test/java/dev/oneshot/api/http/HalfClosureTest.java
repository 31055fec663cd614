package dev.oneshot.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import io.restassured.RestAssured;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that send all they want, shut down their sending side, and listen until the service closes. */
@ServiceTest
class HalfClosureTest {

    private static final int PATIENCE_MILLIS = (int) Duration.ofSeconds(20).toMillis();
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");

    private static final String EXPECTING =
            "Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}";

    private final TestAccount account = TestAccount.onPlan("scale");
    private final String authorization = "Host: x\r\nAuthorization: Bearer " + account.apiKey() + "\r\n";

    @ParameterizedTest
    @ValueSource(ints = {2, 60_000, 2_000_000})
    void answerToAWholeRequestComes(int bodyBytes) throws IOException {
        assertThat(statuses(create(bodyBytes))).containsExactly("201");
    }

    @Test
    void answerToARequestWithoutABodyComes() throws IOException {
        assertThat(statuses("GET /v1/addresses HTTP/1.1\r\n" + authorization + "\r\n"))
                .containsExactly("200");
        assertThat(statuses("HEAD /v1/addresses HTTP/1.1\r\n" + authorization + "\r\n"))
                .containsExactly("200");
    }

    @Test
    void answersToAllRequestsOfAPipelineCome() throws IOException {
        assertThat(statuses(create(2) + create(60_000) + "GET /v1/nothing HTTP/1.1\r\n" + authorization + "\r\n"
                        + "POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}" + create(2)))
                .containsExactly("201", "201", "404", "401", "201");
    }

    @Test
    void interimAnswerIsNotTheAnswer() throws IOException {
        assertThat(statuses("POST /v1/addresses HTTP/1.1\r\n" + authorization + EXPECTING))
                .containsExactly("100", "201");
    }

    @Test
    void nobodyIsToldToSendABodyThatIsRefused() throws IOException {
        assertThat(statuses("POST /v1/addresses HTTP/1.1\r\nHost: x\r\n" + EXPECTING))
                .containsExactly("401");
        assertThat(statuses("POST /v1/nothing HTTP/1.1\r\n" + authorization + EXPECTING))
                .containsExactly("404");
    }

    @Test
    void requestsBeforeOneThatIsNotWholeAreAnswered() throws IOException {
        String half = create(200_000);

        assertThat(statuses(create(2) + half.substring(0, half.length() - 1))).containsExactly("201");
    }

    @Test
    void requestThatIsNotWholeIsGivenUp() throws IOException {
        String large = create(200_000);
        String small = create(2);

        assertThat(statuses(large.substring(0, large.length() - 1))).isEmpty();
        assertThat(statuses(small.substring(0, small.length() - 1))).isEmpty();
    }

    @Test
    void connectionWithoutARequestIsClosed() throws IOException {
        assertThat(statuses("")).isEmpty();
    }

    @Test
    void idleConnectionIsClosed() throws IOException {
        try (Socket socket = connect(RestAssured.port)) {
            socket.getOutputStream()
                    .write(("GET /v1/nothing HTTP/1.1\r\n" + authorization + "\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 404");

            socket.shutdownOutput();

            assertThat(socket.getInputStream().readAllBytes()).asString().contains("NOT_FOUND");
        }
    }

    @Test
    void operatorHearsTheAnswerToo() throws IOException {
        int port = ConfigProvider.getConfig().getValue("quarkus.management.test-port", Integer.class);

        assertThat(statuses(
                        port,
                        "GET /operator/accounts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                                + TestAccount.OPERATOR_TOKEN + "\r\n\r\n"))
                .containsExactly("200");
        assertThat(statuses(
                        port,
                        "POST /operator/accounts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                                + TestAccount.OPERATOR_TOKEN + "\r\n" + EXPECTING))
                .endsWith("400");
        assertThat(statuses(port, "GET /q/health HTTP/1.1\r\nHost: x\r\n\r\n")).containsExactly("200");
    }

    private String create(int bodyBytes) {
        return "POST /v1/addresses HTTP/1.1\r\n" + authorization + "Content-Type: application/json\r\nContent-Length: "
                + bodyBytes + "\r\n\r\n{" + " ".repeat(bodyBytes - 2) + "}";
    }

    private static List<String> statuses(String requests) throws IOException {
        return statuses(RestAssured.port, requests);
    }

    /** Of all that is answered until the service closes. */
    private static List<String> statuses(int port, String requests) throws IOException {
        try (Socket socket = connect(port)) {
            socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return STATUS.matcher(answers)
                    .results()
                    .map((MatchResult found) -> found.group(1))
                    .toList();
        }
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }
}
