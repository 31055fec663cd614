package dev.oneshot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.oneshot.client.MisbehavingServer.Request;
import dev.oneshot.client.MisbehavingServer.Then;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a request is repeated, and when not. */
@NullMarked
@Execution(ExecutionMode.CONCURRENT)
class RepetitionTest {

    private static final String ERROR = "{\"error\":{\"code\":\"%s\",\"message\":\"%s\"}}";

    @RegisterExtension
    final MisbehavingServer server = new MisbehavingServer();

    private final OneshotClient client =
            OneshotClient.builder().baseUrl(server.url()).apiKey("key-1").build();

    @ParameterizedTest
    @ValueSource(strings = {"Retry-After: 1", "Without: Retry-After"})
    void anExceededRateLimitIsWaitedOutAsLongAsTheServiceSaysAndForASecondIfItDoesNot(String header) {
        server.then(429, ERROR.formatted("RATE_LIMITED", "slow down"), header).then(200, Bodies.WAITING);

        assertThat(client.getAddress("abc").status()).isEqualTo(Status.WAITING);

        List<Request> requests = server.requests();
        assertThat(requests).hasSize(2);
        assertThat(requests.get(1).nanoTime() - requests.get(0).nanoTime())
                .isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"61", "99999999999999999999"})
    void aRateLimitThatLastsLongerThanAMinuteIsAnErrorAtOnce(String seconds) {
        server.then(429, ERROR.formatted("RATE_LIMITED", "slow down"), "Retry-After: " + seconds)
                .then(200, Bodies.WAITING);

        assertThatThrownBy(() -> client.getAddress("abc")).hasMessageContaining("RATE_LIMITED (429): slow down");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aServerErrorIsAttemptedThreeTimes() {
        server.then(503, ERROR.formatted("UNAVAILABLE", "later"));

        ApiException error = catchThrowableOfType(ApiException.class, client::getAccount);

        assertThat(error.status()).isEqualTo(503);
        assertThat(error.code()).isEqualTo("UNAVAILABLE");
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void twoServerErrorsAreSurvivedWhateverTheirBodies() {
        server.then(502, "<html>bad gateway</html>")
                .then(503, "x".repeat(70_000))
                .then(200, Bodies.WAITING);

        assertThat(client.getAddress("abc").id()).isEqualTo("abc");
    }

    @Test
    void aBrokenConnectionIsAttemptedThreeTimes() {
        // The JDK repeats a GET itself if the connection breaks before the first byte.
        server.thenRaw("HTTP/1.1 2", Then.RESET);

        assertThatThrownBy(() -> client.getAddress("abc"))
                .isExactlyInstanceOf(OneshotException.class)
                .hasMessageMatching(
                        "GET http://127\\.0\\.0\\.1:\\d+/v1/addresses/abc got no response: .+ \\(attempt 3\\)");

        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void aTruncatedBodyIsABrokenConnection() {
        server.thenRaw("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"id\":", Then.CLOSE)
                .thenRaw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"id\"\r\n", Then.CLOSE)
                .then(200, Bodies.WAITING);

        assertThat(client.getAddress("abc").id()).isEqualTo("abc");
    }

    @Test
    void aResponseThatDoesNotComeInTimeIsABrokenConnection() {
        server.thenRaw("", Then.STALL)
                .thenRaw("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"id\":", Then.STALL)
                .then(200, Bodies.WAITING);
        OneshotClient impatient = OneshotClient.builder()
                .baseUrl(server.url())
                .apiKey("key-1")
                .requestTimeout(Duration.ofSeconds(2))
                .build();

        assertThat(impatient.getAddress("abc").id()).isEqualTo("abc");

        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void aRepeatedCreationHasTheSameIdempotencyKeyAndAnotherOneAnother() {
        server.thenRaw("", Then.RESET)
                .then(409, ERROR.formatted("CONFLICT", "the first one is still running"), "Retry-After: 1")
                .then(201, Bodies.CREATED);

        client.createAddress();
        client.createAddress();

        List<Request> requests = server.requests();
        assertThat(requests).hasSize(4).extracting(Request::method).containsOnly("POST");
        List<String> keys = requests.stream()
                .map(request -> request.headers().getOrDefault("Idempotency-Key", ""))
                .toList();
        assertThat(keys.get(0)).isNotEmpty().isEqualTo(keys.get(1)).isEqualTo(keys.get(2));
        assertThat(keys.get(3)).isNotEmpty().isNotEqualTo(keys.get(0));
    }

    @Test
    void aConflictThatWaitingDoesNotResolveIsAnErrorAtOnce() {
        server.thenRaw("", Then.RESET).then(409, ERROR.formatted("CONFLICT", "another request has this key"));

        assertThatThrownBy(client::createAddress).hasMessage("CONFLICT (409): another request has this key");

        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void aReplacementOfTheKeyWhoseResponseIsLostIsRepeatedWithItsIdempotencyKey() {
        server.thenRaw("", Then.RESET)
                .thenRaw("", Then.RESET)
                .thenRaw("", Then.RESET)
                .thenRaw("HTTP/1.1 201 x\r\nContent-Length: 900\r\n\r\n{", Then.CLOSE)
                .then(201, "{\"api_key\":\"key-2\"}")
                .then(201, "{\"api_key\":\"key-3\"}");

        assertThatThrownBy(client::replaceApiKey).isInstanceOf(OneshotException.class);
        assertThat(client.replaceApiKey()).isEqualTo("key-2");
        assertThat(client.replaceApiKey()).isEqualTo("key-3");

        List<Request> requests = server.requests();
        assertThat(requests)
                .extracting(request -> request.headers().get("Authorization"))
                .containsExactly(
                        "Bearer key-1", "Bearer key-1", "Bearer key-1", "Bearer key-1", "Bearer key-1", "Bearer key-2");
        assertThat(requests.subList(0, 5))
                .extracting(request -> request.headers().get("Idempotency-Key"))
                .doesNotContainNull()
                .containsOnly(requests.get(0).headers().get("Idempotency-Key"))
                .doesNotContain(requests.get(5).headers().get("Idempotency-Key"));
    }

    @Test
    void aDeletionWhoseResponseWasLostIsNotMissed() {
        server.thenRaw("", Then.RESET).then(404, ERROR.formatted("NOT_FOUND", "there is no such address"));

        client.deleteAddress("abc");

        assertThat(server.requests()).hasSize(2);
        assertThatThrownBy(() -> client.deleteAddress("abc")).isInstanceOf(NotFoundException.class);
    }

    @Test
    void anErrorOfTheCallerIsNotRepeated() {
        server.then(400, ERROR.formatted("VALIDATION_ERROR", "ttl_seconds must be between 60 and 86400"));

        assertThatThrownBy(() -> client.createAddress(CreateAddress.receive().withTtl(Duration.ofSeconds(1))))
                .hasMessage("VALIDATION_ERROR (400): ttl_seconds must be between 60 and 86400");

        assertThat(server.requests()).hasSize(1);
        assertThat(server.requests().get(0).body()).isEqualTo("{\"ttl_seconds\":1}");
    }
}
