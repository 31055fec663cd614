package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.RawConnection;
import dev.oneshot.testing.Together;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed and idle connections to the packaged service, whose main class configures Netty for them. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConnectionsIT extends StackTest {

    private static final int CONNECTIONS = 30;
    private static final int CONNECTIONS_OF_A_CLIENT = 10;
    private static final String PROXY = "127.0.0.9";
    private static final Pattern CONTENT_LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)\r\n");
    private static final String WITHOUT_KEY = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    private final List<Socket> sockets = new ArrayList<>();
    private Replica service;

    @BeforeAll
    void start(LocalStack stack) throws IOException {
        service = Replica.of(
                stack,
                Service.API,
                "QUARKUS_HTTP_READ_TIMEOUT=2S",
                "ONESHOT_HTTP_BODY_RECEIVE=PT3S",
                "QUARKUS_HTTP_PROXY_TRUSTED_PROXIES=" + PROXY + "/32",
                "ONESHOT_HTTP_CONNECTIONS_MAX=" + CONNECTIONS,
                "ONESHOT_HTTP_CONNECTIONS_PER_CLIENT_MAX=" + CONNECTIONS_OF_A_CLIENT,
                "ONESHOT_HTTP_HEADER_RECEIVE=PT3S");
    }

    @AfterEach
    void closeSockets() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @AfterAll
    void stop() throws InterruptedException {
        service.kill();
    }

    /** None has a key. The router rejects the second and the third before all handlers. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                WITHOUT_KEY,
                "GET /v1/account HTTP/1.1\r\n\r\n",
                "GET x HTTP/1.1\r\nHost: x\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n123456789"
            })
    void clientThatPipelinesWithoutReadingIsDisconnected(String request) throws IOException {
        // Unread, the responses to a million requests fill some 300 MB.
        assertDisconnected(request.repeat(50), 20_000);
    }

    @Test
    void clientThatPipelinesBodiesIsDisconnected() throws IOException {
        String body = "x".repeat(56 * 1024);
        String post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        assertDisconnected("GET /openapi HTTP/1.1\r\nHost: x\r\n\r\n".repeat(50) + post.repeat(9), 20);
    }

    /** Sends these requests up to so many times, and reads no response. */
    private void assertDisconnected(String requests, int times) throws IOException {
        byte[] octets = requests.getBytes(StandardCharsets.US_ASCII);
        Socket socket = connect("127.0.0.3");

        assertThatThrownBy(() -> {
                    for (int i = 0; i < times; i++) {
                        socket.getOutputStream().write(octets);
                    }
                })
                .isInstanceOf(SocketException.class);
    }

    @Test
    void pipelinedRequestsAreAnswered() throws IOException {
        Socket socket = connect("127.0.0.3");
        socket.getOutputStream().write(WITHOUT_KEY.repeat(60).getBytes(StandardCharsets.US_ASCII));
        socket.shutdownOutput();

        String responses = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(responses.split("HTTP/1.1 401 ", -1)).hasSize(61);
    }

    /** Together the responses are larger than the buffers of both sockets and the server's write queue. */
    @Test
    void slowReaderGetsAllResponses() throws IOException {
        String request = "GET /openapi HTTP/1.1\r\nHost: x\r\n\r\n";
        String last = request.replace("\r\nHost", "\r\nConnection: close\r\nHost");
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setReceiveBufferSize(8 * 1024);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port()));
        socket.getOutputStream().write((request.repeat(59) + last).getBytes(StandardCharsets.US_ASCII));

        String responses = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(responses.split("HTTP/1.1 200 ", -1)).hasSize(61);
        assertThat(responses.stripTrailing())
                .endsWith(exchange(last).lines().toList().getLast());
    }

    /** At once, as each connection stays open for a while. */
    @Test
    void connectionsWithoutAWholeHeaderAreClosed() {
        double before = closed("header");
        List<String> beginnings = List.of("", "GET /v1/acc", "GET /v1/account HTTP/1.1\r\nHost: x\r\nX-A: b\r\n");

        assertThat(Together.each(beginnings, this::exchange)).containsOnly("");
        assertThat(Together.each(beginnings, text -> RawConnection.exchange(service.managementPort(), text)))
                .containsOnly("");

        assertThat(closed("header")).isEqualTo(before + 2 * beginnings.size());
    }

    @Test
    void clientWithoutAKeyCannotShutOutOthers() throws IOException {
        double before = closed("client");
        Socket other = connect("127.0.0.2");
        assertThat(statusOf(other)).isEqualTo("401");
        List<Socket> flood = connectAndRequest("127.0.0.3", 2 * CONNECTIONS);

        assertThat(statusOf(other)).as("on the connection from before").isEqualTo("401");
        assertThat(closed("client") - before).isEqualTo(2 * CONNECTIONS - CONNECTIONS_OF_A_CLIENT);
        assertThat(isClosed(flood.getFirst())).isTrue();
        assertThat(statusOf(flood.getLast())).isEqualTo("401");
    }

    @Test
    void newClientTakesThePlaceOfTheConnectionThatIsIdleForLongest() throws IOException {
        List<Socket> proxied = connectAndRequest(PROXY, CONNECTIONS);
        assertThat(statusOf(proxied.getFirst()))
                .as("a trusted proxy may have all places")
                .isEqualTo("401");
        double before = closed("port");

        assertThat(statusOf(connect("127.0.0.4"))).isEqualTo("401");

        assertThat(closed("port")).isEqualTo(before + 1);
        assertThat(isClosed(proxied.get(1))).isTrue();
        assertThat(statusOf(proxied.get(2))).isEqualTo("401");
        assertThat(statusOf(proxied.getFirst())).isEqualTo("401");
    }

    @ParameterizedTest
    @CsvSource({"65600, 10, 414", "10, 66000, 431"})
    void whatIsOverTheDecodersBoundsIsRefused(int targetBytes, int headerBytes, int status) throws IOException {
        String response = exchange("GET /" + "a".repeat(targetBytes) + " HTTP/1.1\r\nHost: x\r\nX: "
                + "a".repeat(headerBytes) + "\r\n\r\n");

        assertThat(response).containsPattern("^HTTP/1\\.[01] " + status + " ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked\r\n\r\nx\r\n{}\r\n0\r\n\r\n", "chunked\r\nContent-Length: 2\r\n\r\n{}"})
    void bodyWithoutAClearEndCreatesNothing(String codingAndBody) throws IOException {
        Account account = service.account("scale");

        String response = exchange("POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Authorization: Bearer " + account.key() + "\r\nTransfer-Encoding: " + codingAndBody);

        assertThat(response).doesNotContain("HTTP/1.1 2");
        assertThat(account.read().asString()).contains("\"used\":0");
        assertThat(service.metrics().scrape())
                .doesNotContainPattern("http_server_requests_seconds_count\\{.*status=\"5");
        assertThat(service.log()).doesNotContain("request failed");
    }

    @ParameterizedTest
    @CsvSource({"Content-Length: 100, 10", "Content-Length: 200000, 70000", "Transfer-Encoding: chunked, 70000"})
    void clientThatFallsSilentIsCutOffAndNoFailureOfOurs(String length, int sent) throws IOException {
        String response = exchange("POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Authorization: Bearer " + key("scale") + "\r\n" + length + "\r\n\r\n"
                + (length.startsWith("T") ? "200000\r\n" : "") + "{\"label\":\"" + "x".repeat(sent));

        assertThat(response).matches("(?s)|HTTP/1\\.1 408 .*");
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(service.metrics().scrape())
                                .containsPattern(
                                        "http_server_requests_seconds_count\\{.*outcome=\"CLIENT_ERROR\".*status=\"(RESET|408)\""));
        assertThat(service.metrics().scrape())
                .doesNotContainPattern("http_server_requests_seconds_count\\{.*status=\"5");
        assertThat(service.log()).doesNotContain("request failed");
    }

    private Socket connect(String clientAddress) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), service.port(), InetAddress.ofLiteral(clientAddress), 0);
        sockets.add(socket);
        socket.setSoTimeout(20_000);
        return socket;
    }

    private List<Socket> connectAndRequest(String clientAddress, int count) throws IOException {
        List<Socket> connected = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            connected.add(connect(clientAddress));
            assertThat(statusOf(connected.getLast())).isEqualTo("401");
        }
        return connected;
    }

    /** The status of another request on this connection, whose response is read completely. */
    private static String statusOf(Socket socket) throws IOException {
        socket.getOutputStream().write(WITHOUT_KEY.getBytes(StandardCharsets.US_ASCII));
        StringBuilder header = new StringBuilder();
        while (header.indexOf("\r\n\r\n") < 0) {
            int octet = socket.getInputStream().read();
            if (octet < 0) {
                throw new EOFException("closed after: " + header);
            }
            header.append((char) octet);
        }
        Matcher length = CONTENT_LENGTH.matcher(header);
        assertThat(length.find()).isTrue();
        assertThat(socket.getInputStream().readNBytes(Integer.parseInt(length.group(1))))
                .isNotEmpty();
        return header.substring("HTTP/1.1 ".length(), "HTTP/1.1 401".length());
    }

    private static boolean isClosed(Socket socket) throws IOException {
        return socket.getInputStream().read() < 0;
    }

    private double closed(String bound) {
        return service.metrics()
                .sum(Pattern.compile("oneshot_http_connections_closed_total\\{bound=\"" + bound + "\",?} .*"));
    }

    private String key(String plan) {
        return service.account(plan).key();
    }

    private String exchange(String request) throws IOException {
        return RawConnection.exchange(service.port(), request);
    }
}
