package dev.oneshot.api.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.RawResponse;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What RFC 9110, RFC 9112 and RFC 3986 ask of every response and path. */
@ServiceTest
class HttpSemanticsTest {

    private static final Pattern DATE = Pattern.compile("[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT");
    private static final Pattern HAS_DATE = Pattern.compile("\r\nDate: " + DATE + "\r\n", Pattern.CASE_INSENSITIVE);

    private final TestAccount account = TestAccount.onPlan("scale");

    @Test
    void everyResponseHasTheDate() {
        List<RawResponse> responses = List.of(
                account.send("GET", "/v1/account"),
                account.send("HEAD", "/v1/addresses"),
                account.send("DELETE", "/v1/addresses?label=x"),
                account.send("GET", "/v1/nothing"),
                account.send("PUT", "/v1/account"),
                RawHttp.send("GET", "/nothing"),
                RawHttp.send("GET", "/console/"),
                RawHttp.send("GET", "/console"),
                RawHttp.send("GET", "/openapi"),
                RawHttp.operate("GET", "accounts", BodyPublishers.noBody()),
                RawHttp.operate("GET", "nothing", BodyPublishers.noBody()));

        for (RawResponse response : responses) {
            String date = response.only("Date");
            assertThat(date).matches(DATE);
            assertThat(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)))
                    .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
        }
    }

    @Test
    void responseToHttp10EndsByItsLengthOrByTheEndOfTheConnection() throws IOException {
        String id = account.received("Subject: long\r\n\r\n" + "x".repeat(100_000));

        String response = RawHttp.exchange("GET /v1/addresses/" + id + "/email HTTP/1.0\r\nConnection: keep-alive\r\n"
                + "Authorization: Bearer " + account.apiKey() + "\r\n\r\n");

        assertThat(response)
                .startsWith("HTTP/1.")
                .contains(" 200 ")
                .endsWith("}")
                .containsPattern(HAS_DATE);
        assertThat(response).doesNotContainIgnoringCase("Transfer-Encoding").doesNotContainIgnoringCase("keep-alive");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u00c1\u0081",
                "\u00ed\u00a0\u00bd\u00ed\u00b8\u0080",
                "\u00f4\u0090\u0080\u0080",
                "\u00e2\u0082"
            })
    void malformedUtf8IsRejectedWhereverItStands(String octets) {
        for (String json : List.of("{\"label\":\"%s\"}", "{\"unknown\":\"%s\"}", "{\"%s\":1}")) {
            byte[] body = json.formatted(octets).getBytes(ISO_8859_1);
            account.send("POST", "/v1/addresses", BodyPublishers.ofByteArray(body), RawHttp.JSON)
                    .isError(400, "VALIDATION_ERROR");
        }
    }

    @Test
    void escapesOfUnreservedCharactersAreEqualInPaths() throws IOException {
        String id = account.received("Content-Disposition: attachment; filename=a.txt\r\n\r\ntext");

        account.send("GET", "/v1/addresses/" + id + "/email/attachments/%30").has(200);
        account.send("GET", "/%76%31/%61ddresses/" + id).has(200);
        RawHttp.send("GET", "/%6fpenapi").has(200);
        RawHttp.send("GET", "/%63onsole/").has(200);
        account.send("GET", "/v1%2faddresses").isError(404, "NOT_FOUND");
        account.send("GET", "/v1/addresses/%2e").isError(404, "NOT_FOUND");
        account.send("GET", "/v1/%2e/account").isError(404, "NOT_FOUND");
        assertThat(account.exchange("GET /v1/addresses/%2e%2E/account HTTP/1.1"))
                .startsWith("HTTP/1.1 404 ");
    }

    /** Checks it first even for a body above Quarkus's bound, and for a target above the service's own. */
    @ParameterizedTest
    @CsvSource({"POST, /operator/accounts, 200000", "POST, /operator/accounts, 70000", "GET, /operator/accounts?%zz, 0"
    })
    void operatorApiChecksItsTokenFirst(String method, String target, int bytes) throws IOException {
        String request = method + " " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + RawHttp.JSON
                + "\r\nContent-Length: " + bytes + "\r\n";
        String body = "\r\n" + "x".repeat(bytes);

        assertThat(RawHttp.operatorExchange(request + body)).startsWith("HTTP/1.1 401 ");
        assertThat(RawHttp.operatorExchange(
                        request + "Authorization: Bearer " + TestAccount.OPERATOR_TOKEN + "\r\n" + body))
                .startsWith("HTTP/1.1 4")
                .doesNotStartWith("HTTP/1.1 401 ");
    }
}
