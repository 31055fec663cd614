package dev.oneshot.api.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.account.SampleKeys;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Guessed keys over HTTP: those without a signature are limited to 50 at once and 10 a second for each client
 * address. The clients here use other addresses of the loopback network, so that they do not limit other tests.
 */
@ServiceTest
class GuessedKeysTest {

    private static final int BURST = 50;
    private static final int PER_SECOND = 10;
    private static final int GUESSES_MAX = 5_000;
    private static final int ACCOUNTS = 12;

    @Test
    void whoGuessesIsToldToWaitAndNobodyElseIs() throws Exception {
        String unsigned = unsignedKeyOf(TestAccount.onPlan("scale"));
        try (HttpClient guesser = clientAt("127.0.0.77");
                HttpClient other = clientAt("127.0.0.78")) {
            assertThat(get(guesser, unsigned).statusCode()).isEqualTo(200);
            long begin = System.nanoTime();
            int lookedUp = 0;
            HttpResponse<String> answer = get(guesser, guess());
            while (answer.statusCode() == 401 && lookedUp < GUESSES_MAX) {
                lookedUp++;
                answer = get(guesser, guess());
            }
            double seconds = (System.nanoTime() - begin) / 1e9;

            assertRateLimited(answer);
            assertThat(lookedUp).isBetween(BURST, (int) (BURST + PER_SECOND * seconds) + 1);
            assertThat(get(guesser, unsigned).statusCode())
                    .as("a key that was valid lately")
                    .isEqualTo(200);
            assertThat(get(other, guess()).statusCode())
                    .as("a guess of somebody else")
                    .isEqualTo(401);
        }
    }

    @Test
    void guessesLockOutNoOneBehindTheSameAddress() throws Exception {
        List<TestAccount> fresh = Stream.generate(() -> TestAccount.onPlan("scale"))
                .limit(ACCOUNTS)
                .toList();
        TestAccount rotating = TestAccount.onPlan("scale");
        try (HttpClient shared = clientAt("127.0.0.76")) {
            int guesses = 0;
            while (get(shared, guess()).statusCode() == 401) {
                assertThat(++guesses).isLessThan(GUESSES_MAX);
            }
            String rotated = rotating.request().post("/v1/account/api-key").path("api_key");

            for (TestAccount account : fresh) {
                assertThat(get(shared, account.apiKey()).statusCode()).isEqualTo(200);
            }
            assertThat(get(shared, rotated).statusCode()).isEqualTo(200);
            assertThat(get(shared, rotating.apiKey()).statusCode())
                    .as("the replaced key")
                    .isEqualTo(401);
        }
    }

    @Test
    void guessedSignatureIsRefusedWithoutALimit() throws Exception {
        try (HttpClient guesser = clientAt("127.0.0.75")) {
            for (int i = 0; i < 3 * BURST; i++) {
                assertThat(get(guesser, SampleKeys.forged().reveal()).statusCode())
                        .isEqualTo(401);
            }
            assertThat(get(guesser, guess()).statusCode())
                    .as("a look-up, as the others were none")
                    .isEqualTo(401);
        }
    }

    /** So guesses need no limit, which other clients of the same network would share. */
    @Test
    void guessedKeyIsRejectedWithoutALookUp() {
        TestDatabase.execute("ALTER TABLE account RENAME TO gone");
        try {
            for (int i = 0; i < BURST; i++) {
                String forged = SampleKeys.forged().reveal();
                for (String guess : List.of(forged, forged.substring(0, forged.length() - 1), "oneshot_", "x")) {
                    RestAssured.given()
                            .header("Authorization", "Bearer " + guess)
                            .get("/v1/account")
                            .then()
                            .statusCode(401);
                }
            }
        } finally {
            TestDatabase.execute("ALTER TABLE gone RENAME TO account");
        }
    }

    private static void assertRateLimited(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        assertThat(answer.headers().firstValue("X-Request-Id")).isPresent();
        assertThat(answer.headers().firstValue("RateLimit"))
                .as("of an account, which is not known")
                .isEmpty();
        assertThat(JsonPath.from(answer.body()).getString("error.code")).isEqualTo("RATE_LIMITED");
    }

    /** The account has this key from before keys were signed. */
    private static String unsignedKeyOf(TestAccount account) {
        String key = SampleKeys.unsigned().reveal();
        TestDatabase.update(
                "UPDATE account SET api_key_sha256 = sha256('" + key + "'::bytea) WHERE id = ?::uuid", account.id());
        return key;
    }

    private static String guess() {
        return SampleKeys.unsigned().reveal();
    }

    static HttpClient clientAt(String address) {
        return HttpClient.newBuilder()
                .localAddress(InetAddress.ofLiteral(address))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    private static HttpResponse<String> get(HttpClient client, String key) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + RestAssured.port + "/v1/account"))
                        .header("Authorization", "Bearer " + key)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
