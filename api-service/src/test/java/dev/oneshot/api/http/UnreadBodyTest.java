package dev.oneshot.api.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Requests that are rejected before their bodies have arrived (RFC 9112 §9.3). {@link RawHttp#exchange} fails if the
 * service neither reads them nor closes.
 */
@ServiceTest
class UnreadBodyTest {

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
    void bodyThatMeansNothingIsDroppedAndTheNextRequestIsAnswered(String method, String target, int bytes, int status)
            throws IOException {
        String known = "Host: x\r\nAuthorization: Bearer " + account.apiKey() + "\r\n";

        String answers = RawHttp.exchange(method + " " + target + " HTTP/1.1\r\n" + known + "Content-Length: " + bytes
                + "\r\n\r\n" + "x".repeat(bytes) + "GET /v1/nothing?next HTTP/1.1\r\n" + known
                + "Connection: close\r\n\r\n");

        assertThat(answers).startsWith("HTTP/1.1 " + status + " ");
        assertThat(answers.substring(1)).contains("HTTP/1.1 404 ");
    }

    @Test
    void connectionClosesIfARejectedClientMayStillSendItsBody() throws IOException {
        String response = RawHttp.exchange("POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Expect: 100-continue\r\nContent-Length: 100\r\n\r\n");

        assertThat(response).startsWith("HTTP/1.1 401 ").containsIgnoringCase("\r\nConnection: close\r\n");
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

    /** The rest of the body comes after the error. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST /v1/addresses | '' | 401",
                "PUT /v1/addresses | key | 405",
                "POST /v1/nothing | key | 404",
                "POST /v1/addresses?%zz | key | 400",
                "POST /v1/addresses | key | 400",
                "POST /v1/account/credits | key | 400"
            })
    void bodyOfARejectedRequestIsDiscardedAndTheNextRequestIsServed(String line, String key, int status)
            throws IOException {
        String known = "Host: x\r\n" + (key.isEmpty() ? "" : "Authorization: Bearer " + account.apiKey() + "\r\n");
        try (Socket client = RawHttp.begin(line + " HTTP/1.1\r\n" + known
                + "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{not json")) {
            client.setSoTimeout(10_000);
            assertThat(client.getInputStream().readNBytes(13))
                    .isEqualTo(("HTTP/1.1 " + status + " ").getBytes(US_ASCII));

            String rest = "x".repeat(1_000_000 - "{not json".length());
            client.getOutputStream()
                    .write((rest + "GET /v1/nothing HTTP/1.1\r\n" + known + "Connection: close\r\n\r\n")
                            .getBytes(US_ASCII));

            assertThat(new String(client.getInputStream().readAllBytes(), US_ASCII))
                    .contains("HTTP/1.1 40" + (key.isEmpty() ? 1 : 4) + " ");
        }
    }

    @Test
    void clientThatNeverEndsItsBodyIsCutOff() throws IOException {
        try (Socket client = RawHttp.begin(
                "POST /v1/addresses HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n")) {
            OutputStream body = client.getOutputStream();
            assertThat(client.getInputStream().readNBytes(13)).isEqualTo("HTTP/1.1 401 ".getBytes(US_ASCII));

            await().atMost(Duration.ofSeconds(40))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> {
                        try {
                            body.write('x');
                            return false;
                        } catch (IOException closed) {
                            return true;
                        }
                    });
        }
    }
}
