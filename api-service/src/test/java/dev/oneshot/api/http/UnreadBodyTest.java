package dev.oneshot.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import java.io.IOException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Requests that are refused before their bodies have come (RFC 9112 §9.3). {@link RawHttp#exchange} fails if the service
 * neither reads on nor closes.
 */
@ServiceTest
class UnreadBodyTest {

    private static final Pattern END = Pattern.compile("(?i)\r\nConnection: close\r\n");

    private final TestAccount account = TestAccount.onPlan("scale");

    @Test
    void shortBodyIsDroppedAndTheNextRequestIsAnswered() throws IOException {
        String answers = RawHttp.exchange("POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
                + "GET /v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
                + account.apiKey() + "\r\n\r\n");

        assertThat(answers).startsWith("HTTP/1.1 401 ").contains("HTTP/1.1 404 ");
    }

    @ParameterizedTest
    @CsvSource({"65536, false", "65537, true"})
    void connectionOfABodyThatDoesNotComeIsClosedAndOfALongOneThatIsSaid(int declared, boolean said)
            throws IOException {
        String answer =
                RawHttp.exchange("POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Length: " + declared + "\r\n\r\n{");

        assertThat(answer).startsWith("HTTP/1.1 401 ");
        assertThat(END.matcher(answer).find()).isEqualTo(said);
    }

    @Test
    void chunksOfWhichNobodyKnowsTheEndEndTheConnection() throws IOException {
        String answer =
                RawHttp.exchange("POST /v1/addresses HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{");

        assertThat(answer).startsWith("HTTP/1.1 401 ").containsPattern(END);
    }

    @ParameterizedTest
    @CsvSource({
        "PUT, /v1/addresses, application/json, 405",
        "POST, /v1/nothing, application/json, 404",
        "POST, /v1/addresses?%zz, application/json, 400",
        "POST, /v1/addresses, text/plain, 415",
        "POST, /v1/addresses, application/json, 400",
        "POST, /v1/account/credits, application/json, 400",
    })
    void everyRefusalOfALongBodyEndsTheConnection(String method, String target, String contentType, int status)
            throws IOException {
        String answer = RawHttp.exchange(method + " " + target + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                + account.apiKey() + "\r\nContent-Type: " + contentType
                + "\r\nContent-Length: 70000\r\n\r\n{not json");

        assertThat(answer).startsWith("HTTP/1.1 " + status + " ").containsPattern(END);
    }
}
