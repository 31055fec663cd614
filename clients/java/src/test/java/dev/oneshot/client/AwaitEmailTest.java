package dev.oneshot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.client.MisbehavingServer.Request;
import dev.oneshot.client.MisbehavingServer.Then;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@NullMarked
@Execution(ExecutionMode.CONCURRENT)
class AwaitEmailTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(600);

    @RegisterExtension
    final MisbehavingServer server = new MisbehavingServer();

    private final OneshotClient client =
            OneshotClient.builder().baseUrl(server.url()).apiKey("key").build();

    @Test
    void theEmailIsReadOnceTheAddressHasReceivedIt() throws InterruptedException {
        server.then(200, Bodies.WAITING, "ETag: \"1\"")
                .then(304, "", "ETag: \"1\"")
                .then(200, Bodies.RECEIVED, "ETag: \"2\"")
                .then(200, Bodies.EMAIL);

        Email email = client.awaitEmail("abc", LONG);

        assertThat(email.subject()).isEqualTo("Your code");
        List<Request> requests = server.requests();
        assertThat(requests)
                .extracting(Request::path)
                .containsExactly(
                        "/v1/addresses/abc", "/v1/addresses/abc", "/v1/addresses/abc", "/v1/addresses/abc/email");
        assertThat(requests)
                .extracting(request -> request.headers().getOrDefault("If-None-Match", "none"))
                .containsExactly("none", "\"1\"", "\"1\"", "none");
    }

    @Test
    void aTimeOutSaysWhatWasSeen() {
        server.then(200, Bodies.WAITING);
        // The first request of a JVM loads classes, which may take longer than a poll may.
        client.getAddress("abc");

        assertThatThrownBy(() -> client.awaitEmail("abc@in.example.org", SHORT))
                .isInstanceOf(AwaitTimeoutException.class)
                .hasMessageMatching(
                        "no e-mail for abc in 0\\.6 s \\([2-4] polls\\): abc@in\\.example\\.org is waiting, label"
                                + " \"sign-up\", and expires at 2036-01-31T13:00:00Z");
    }

    @Test
    void anEmailThatComesAtTheLastMomentIsNotMissed() throws InterruptedException {
        server.then(200, Bodies.WAITING).then(200, Bodies.RECEIVED).then(200, Bodies.EMAIL);

        assertThat(client.awaitEmail("abc", Duration.ofMillis(200)).from()).isEqualTo("ada@example.org");
    }

    @Test
    void neitherATimeOutNorAnExpiryIsTooFarAway() throws InterruptedException {
        server.then(200, Bodies.WAITING.replace("2036-01-31T13:00:00Z", "+999999999-12-31T23:59:59Z"))
                .then(200, Bodies.RECEIVED)
                .then(200, Bodies.EMAIL);

        Email email = client.awaitEmail("abc", ChronoUnit.FOREVER.getDuration());

        assertThat(email.from()).isEqualTo("ada@example.org");
    }

    @Test
    void withoutTimeThereIsOnePoll() {
        server.then(200, Bodies.WAITING);

        assertThatThrownBy(() -> client.awaitEmail("abc", Duration.ZERO)).isInstanceOf(AwaitTimeoutException.class);

        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "410, EXPIRED, dev.oneshot.client.AddressExpiredException",
        "404, NOT_FOUND, dev.oneshot.client.NotFoundException"
    })
    void anExpiredOrDeletedAddressEndsTheWait(int status, String code, Class<?> type) {
        server.then(200, Bodies.WAITING).then(status, "{\"error\":{\"code\":\"" + code + "\",\"message\":\"gone\"}}");

        assertThatThrownBy(() -> client.awaitEmail("abc", LONG)).isExactlyInstanceOf(type);
    }

    @Test
    void theAddressIsPolledWhenItsTimeIsUp() {
        String soon = Instant.now().plusMillis(300).toString();
        server.then(200, Bodies.WAITING.replace("2036", "9999"))
                .then(200, Bodies.WAITING)
                .then(200, Bodies.WAITING.replace("2036-01-31T13:00:00Z", soon))
                .then(410, "{\"error\":{\"code\":\"EXPIRED\",\"message\":\"expired\"}}");

        assertThatThrownBy(() -> client.awaitEmail("abc", LONG)).isInstanceOf(AddressExpiredException.class);
    }

    @Test
    void anAddressThatSendsIsNotWaitedFor() {
        server.then(200, Bodies.WAITING.replace("receive", "send").replace("waiting", "sent"));

        assertThatThrownBy(() -> client.awaitEmail("abc", LONG)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"HTTP/1.1 2, RESET", "'HTTP/1.1 502 x\r\nContent-Length: 6\r\n\r\n<html>', CLOSE"})
    void anOutageDoesNotEndTheWait(String response, Then then) throws InterruptedException {
        server.then(200, Bodies.WAITING);
        for (int i = 0; i < 7; i++) {
            server.thenRaw(response, then);
        }
        server.then(200, Bodies.RECEIVED);
        for (int i = 0; i < 4; i++) {
            server.thenRaw(response, then);
        }
        server.then(200, Bodies.RECEIVED).then(200, Bodies.EMAIL);

        assertThat(client.awaitEmail("abc", LONG).subject()).isEqualTo("Your code");
    }

    @Test
    void aServiceThatStaysAwayIsATimeOutThatSaysSo() {
        server.thenRaw("HTTP/1.1 2", Then.RESET);

        assertThatThrownBy(() -> client.awaitEmail("abc", Duration.ofSeconds(10)))
                .isInstanceOf(AwaitTimeoutException.class)
                .hasMessageContaining("the address was never read; the last poll failed: GET " + server.url()
                        + "/addresses/abc got no response: ")
                .hasCauseExactlyInstanceOf(OneshotException.class);

        assertThat(server.requests()).hasSizeGreaterThan(3);
    }

    @Test
    void anEmailThatCannotBeReadIsNoTimeOut() {
        server.then(200, Bodies.RECEIVED).then(500, "");

        assertThatThrownBy(() -> client.awaitEmail("abc", Duration.ZERO)).isExactlyInstanceOf(ApiException.class);
    }

    @Test
    void aRateLimitThatLastsLongerThanTheWaitIsATimeOut() {
        server.then(429, "{\"error\":{\"code\":\"RATE_LIMITED\",\"message\":\"slow\"}}", "Retry-After: 30");

        assertThatThrownBy(() -> client.awaitEmail("abc", SHORT))
                .isInstanceOf(AwaitTimeoutException.class)
                .hasMessageContaining("the address was never read")
                .hasRootCauseInstanceOf(ApiException.class);
    }

    @Test
    void aServiceThatDoesNotRespondDoesNotProlongTheWait() {
        server.thenRaw("", Then.STALL);

        assertThatThrownBy(() -> client.awaitEmail("abc", SHORT))
                .isInstanceOf(AwaitTimeoutException.class)
                .hasMessageContaining("got no response: none within ")
                .hasMessageNotContaining("(attempt");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void anInterruptEndsTheWait() {
        server.then(200, Bodies.WAITING);

        assertThat(interruptedAt(2, () -> client.awaitEmail("abc", LONG))).isInstanceOf(InterruptedException.class);
    }

    @Test
    void anInterruptEndsARequest() {
        server.thenRaw("", Then.STALL);

        assertThat(interruptedAt(1, client::getAccount))
                .isInstanceOf(OneshotException.class)
                .hasMessage("GET /account was interrupted");
    }

    /** Interrupts an action at this request, and returns its failure. A thread that does not say so stays interrupted. */
    private Throwable interruptedAt(int request, Callable<?> action) {
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                action.call();
            } catch (Exception e) {
                boolean isSaid = e instanceof InterruptedException
                        || Thread.currentThread().isInterrupted();
                end.complete(isSaid ? e : new AssertionError("not interrupted", e));
            }
        });
        thread.start();
        await().until(() -> server.requests().size() >= request);
        thread.interrupt();
        return end.orTimeout(60, TimeUnit.SECONDS).join();
    }

    @Test
    void theRateOfTheAccountSlowsTheWaitsDown() {
        server.then(200, Bodies.WAITING, "RateLimit-Policy: \"account\";q=1;w=10");

        assertThatThrownBy(() -> client.awaitEmail("abc", Duration.ofSeconds(3)))
                .isInstanceOf(AwaitTimeoutException.class);

        // The first, the one that takes the first turn at the rate, and the last; by the backoff alone there are five.
        assertThat(server.requests()).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void allWaitsTogetherUseFourFifthsOfTheRate() {
        PollPacing pacing = new PollPacing();
        pacing.learn(
                HttpHeaders.of(Map.of("RateLimit-Policy", List.of("\"account\";q=1000;w=2")), (name, value) -> true));

        long first = pacing.turn();
        for (int i = 1; i < 1000; i++) {
            pacing.turn();
        }

        // A thousand of them fill 2.5 s at 400 a second.
        assertThat(pacing.turn() - first)
                .isGreaterThanOrEqualTo(Duration.ofMillis(2500).toNanos());
    }
}
