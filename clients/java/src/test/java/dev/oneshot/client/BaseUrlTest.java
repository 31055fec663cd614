package dev.oneshot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.oneshot.client.MisbehavingServer.Then;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which URL the client requests, and what it says of one where the service is not. */
@NullMarked
@Execution(ExecutionMode.CONCURRENT)
class BaseUrlTest {

    @RegisterExtension
    final MisbehavingServer server = new MisbehavingServer();

    private final OneshotClient client = server.client();

    @Test
    void theKeyIsSentToThisServiceOnly() {
        assertThatThrownBy(() -> client.getAttachment(new Attachment("a", "b", 1, "@evil.example/x", null, null)))
                .isInstanceOf(IllegalArgumentException.class);
        for (String id : new String[] {"", "..", "a/b", "a?b", "ä", "a b"}) {
            assertThatThrownBy(() -> client.getAddress(id)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"200, is not of this API", "404, has no error body", "502, has no error body", "503, has no error body"
    })
    void aPageOfHtmlIsAnErrorThatNamesTheUrlAndSaysSo(int status, String flaw) {
        server.then(status, "<!doctype html><title>Sign in</title>", "Content-Type: text/html; charset=utf-8");

        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> client.getAddress("abc"), () -> client.deleteAddress("abc"), () -> client.getRawEmail("abc"))) {
            assertThatThrownBy(call)
                    .isInstanceOf(OneshotException.class)
                    .hasMessageContaining(server.url() + "/addresses/abc")
                    .hasMessageContaining(
                            "(" + status + ") " + flaw + ", but HTML, as from a proxy in front of the service");
        }
    }

    @Test
    void aPageOfHtmlIsKnownWithoutItsType() {
        server.then(200, "\n<html>");

        assertThatThrownBy(client::getAccount)
                .isExactlyInstanceOf(OneshotException.class)
                .hasMessageContaining(server.url() + "/account")
                .hasMessageContaining("but HTML");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "404 | {\"error\":{\"code\":\"NOT_FOUND\",\"message\":\"there is no such path\"}}",
                "405 | ''",
                "200 | <html>",
                "200 | []"
            })
    void aBaseUrlWithoutItsVersionIsNamed(int status, String body) {
        server.then(status, body);
        String url = server.url().replace("/v1", "");
        OneshotClient wrong = OneshotClient.builder().baseUrl(url).apiKey("key").build();

        assertThatThrownBy(wrong::getAccount).hasMessageContaining("; the base URL " + url + " does not end in /v1");
        assertThatThrownBy(client::getAccount).hasMessageNotContaining("the base URL");
    }

    @Test
    void aServiceThatCannotBeReachedIsNamedWithTheReason() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        assertThatThrownBy(client("http://127.0.0.1:" + free + "/v1")::getAccount)
                .hasMessageStartingWith(
                        "GET http://127.0.0.1:" + free + "/v1/account got no response: cannot connect: ");
        assertThatThrownBy(client("http://host.invalid/v1")::getAccount)
                .hasMessage("GET http://host.invalid/v1/account got no response: its host is unknown (attempt 3)");
        assertThatThrownBy(client(server.url().replace("http:", "https:"))::getAccount)
                .hasMessageContaining("/v1/account got no response: TLS failed: ");
    }

    @Test
    void aSilentServerIsNamedWithTheBound() {
        server.thenRaw("", Then.STALL);
        OneshotClient impatient = OneshotClient.builder()
                .baseUrl(server.url())
                .apiKey("key")
                .requestTimeout(Duration.ofMillis(500))
                .build();

        assertThatThrownBy(impatient::getAccount)
                .hasMessage("GET " + server.url() + "/account got no response: none within 0.5 s (attempt 3)");
    }

    @Test
    void aRedirectIsNotFollowed() {
        server.then(302, "", "Location: " + server.url() + "/elsewhere");

        ApiException error = catchThrowableOfType(ApiException.class, client::getAccount);

        assertThat(error.status()).isEqualTo(302);
        assertThat(error)
                .hasMessageContaining("; it redirects to " + server.url() + "/elsewhere, which is not followed");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aClientThatFollowsRedirectsIsRejected() {
        HttpClient follower = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();

        assertThatThrownBy(() -> OneshotClient.builder().httpClient(follower))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("redirects");
    }

    @Test
    void aClientNeedsAUrlAndAKey() {
        assertThatThrownBy(() -> OneshotClient.builder().baseUrl("mail.example.com"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> OneshotClient.builder()
                        .baseUrl(server.url())
                        .apiKey(" ")
                        .build())
                .hasMessageContaining("ONESHOT_API_KEY");
        assertThatThrownBy(() -> OneshotClient.builder()
                        .baseUrl("http://mail.example.com/v1")
                        .apiKey("secret\nkey")
                        .build())
                .hasMessageContaining("API key")
                .hasMessageNotContaining("secret");
        for (Duration timeout : List.of(Duration.ZERO, Duration.ofDays(2), ChronoUnit.FOREVER.getDuration())) {
            assertThatThrownBy(() -> OneshotClient.builder().requestTimeout(timeout))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static OneshotClient client(String baseUrl) {
        return OneshotClient.builder().baseUrl(baseUrl).apiKey("key").build();
    }
}
