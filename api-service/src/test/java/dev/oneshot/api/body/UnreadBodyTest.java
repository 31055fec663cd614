package dev.oneshot.api.body;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestMetrics;
import dev.oneshot.testing.Together;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that are rejected before their bodies have arrived (RFC 9112 §9.3). {@link RawHttp#exchange} fails if the
 * service neither reads them nor closes.
 */
@ServiceTest
class UnreadBodyTest {

    private static final Pattern END = Pattern.compile("(?i)\r\nConnection: close\r\n");

    private static final String ACTIVE = "http_server_active_requests";
    private static final Pattern LATE = Pattern.compile("oneshot_api_refusals_total\\{.*REQUEST_TIMEOUT.*");

    private static final String EXPECTING = "Host: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
            + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}";

    private final TestAccount account = TestAccount.onPlan("scale");

    @ParameterizedTest
    @CsvSource({
        "DELETE, /v1/addresses?label=x, 100000, 204",
        "GET, /v1/account, 100000, 200",
        "GET, /openapi, 100000, 200",
        "HEAD, /v1/addresses, 100000, 200",
        "POST, /v1/nothing, 2, 404"
    })
    void unreadBodyIsDiscardedAndTheNextRequestGetsItsResponse(String method, String target, int bytes, int status)
            throws IOException {
        String known = "Host: x\r\nAuthorization: Bearer " + account.apiKey() + "\r\n";

        String responses = RawHttp.exchange(method + " " + target + " HTTP/1.1\r\n" + known + "Content-Length: " + bytes
                + "\r\n\r\n" + "x".repeat(bytes) + "GET /v1/nothing?next HTTP/1.1\r\n" + known
                + "Connection: close\r\n\r\n");

        assertThat(responses).startsWith("HTTP/1.1 " + status + " ");
        assertThat(responses.substring(1)).contains("HTTP/1.1 404 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/openapi", "/v1/account"})
    void bodyThatIsNotReadIsNotAwaited(String target) throws IOException {
        String request = "GET " + target + " HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nAuthorization: Bearer ";

        try (Socket client = RawHttp.begin(request + account.apiKey() + "\r\n\r\n")) {
            assertThat(client.getInputStream().readNBytes(13)).isEqualTo("HTTP/1.1 200 ".getBytes(US_ASCII));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4 * 1024, 4 * 1024 + 1})
    void bodyMayArriveAfterItsHeader(int bytes) throws IOException {
        String body = "{\"ignored\":\"" + "x".repeat(bytes - 14) + "\"}";
        String known =
                "POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                        + account.apiKey() + "\r\nContent-Length: " + bytes + "\r\n\r\n";

        try (Socket client = RawHttp.begin(known + body.substring(0, 5))) {
            // The response to a later request shows that the service has the beginning.
            account.request().get("/v1/account").then().statusCode(200);
            client.getOutputStream().write(body.substring(5).getBytes(US_ASCII));

            assertThat(client.getInputStream().readNBytes(13)).isEqualTo("HTTP/1.1 201 ".getBytes(US_ASCII));
        }
    }

    /** Nothing else would end a request that begins when its connection is already closed. */
    @Test
    void requestWhoseClientHasGoneEnds() throws IOException {
        String known =
                "POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                        + account.apiKey() + "\r\nContent-Length: ";
        double active = TestMetrics.sum(ACTIVE);
        double late = TestMetrics.sum(LATE);

        RawHttp.begin(known + "2\r\n\r\n{}" + known + "10\r\n\r\n{").close();

        await().until(() -> TestMetrics.sum(ACTIVE) <= active);
        assertThat(TestMetrics.sum(LATE)).as("it ends before its time is over").isEqualTo(late);
    }

    @Test
    void clientIsAskedOnlyForABodyThatIsRead() throws IOException {
        String known = "Authorization: Bearer " + account.apiKey() + "\r\n";

        assertThat(RawHttp.exchange("POST /v1/addresses HTTP/1.1\r\n" + known + EXPECTING))
                .startsWith("HTTP/1.1 100 ")
                .contains("HTTP/1.1 201 ");
        assertThat(RawHttp.exchange("POST /v1/addresses HTTP/1.1\r\n" + EXPECTING))
                .startsWith("HTTP/1.1 401 ");
        assertThat(RawHttp.exchange("POST /v1/nothing HTTP/1.1\r\n" + known + EXPECTING))
                .startsWith("HTTP/1.1 404 ");
    }

    /** At once, as each connection stays open for a while. */
    @Test
    void connectionsWithMissingBodiesAreClosedAndForLongOnesTheResponseSaysSo() {
        String known = "Authorization: Bearer " + account.apiKey() + "\r\n";
        String json = known + "Content-Type: application/json\r\n";
        List<Refused> refused = List.of(
                new Refused("POST /v1/addresses", declaring(65_536), 401, false),
                new Refused("POST /v1/addresses", declaring(65_537), 401, true),
                new Refused("POST /v1/addresses", "Transfer-Encoding: chunked\r\n\r\n5\r\n{", 401, true),
                new Refused("PUT /v1/addresses", json + declaring(70_000), 405, true),
                new Refused("POST /v1/nothing", json + declaring(70_000), 404, true),
                new Refused("POST /v1/addresses?%zz", json + declaring(70_000), 400, true),
                new Refused(
                        "POST /v1/addresses", known + "Content-Type: text/plain\r\n" + declaring(70_000), 415, true),
                new Refused("POST /v1/addresses", json + declaring(70_000), 400, true),
                new Refused("POST /v1/account/credits", json + declaring(70_000), 400, true));

        List<String> responses = Together.each(refused, one -> RawHttp.exchange(one.text()));

        for (int i = 0; i < refused.size(); i++) {
            Refused one = refused.get(i);
            assertThat(responses.get(i)).as(one.text()).startsWith("HTTP/1.1 " + one.status() + " ");
            assertThat(END.matcher(responses.get(i)).find()).as(one.text()).isEqualTo(one.said());
        }
    }

    /** Sends for longer than a client may be silent. */
    @Test
    void clientThatStillSendsItsBodyCanReadItsError() throws IOException {
        try (Socket client = RawHttp.begin("POST /v1/addresses HTTP/1.1\r\nHost: x\r\n" + declaring(70_000))) {
            OutputStream body = client.getOutputStream();
            AtomicInteger sent = new AtomicInteger();

            await().pollInterval(Duration.ofMillis(100)).until(() -> {
                body.write('x');
                return sent.incrementAndGet() == 40;
            });

            assertThat(client.getInputStream().readNBytes(13)).isEqualTo("HTTP/1.1 401 ".getBytes(US_ASCII));
        }
    }

    /** A request with an incomplete body, and its error. */
    private record Refused(String line, String rest, int status, boolean said) {

        String text() {
            return line + " HTTP/1.1\r\nHost: x\r\n" + rest;
        }
    }

    private static String declaring(int bytes) {
        return "Content-Length: " + bytes + "\r\n\r\n{not json";
    }
}
