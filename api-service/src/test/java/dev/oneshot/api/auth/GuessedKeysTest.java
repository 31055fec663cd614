package dev.oneshot.api.auth;

import static dev.oneshot.api.RawHttp.readAccount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.RawResponse;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.account.SampleKeys;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.util.List;
import java.util.function.IntFunction;
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
    private static final String[] NO_FIELDS = {};

    @Test
    void onlyTheGuessingClientGets429() {
        String unsigned = unsignedKeyOf(TestAccount.onPlan("scale"));
        try (HttpClient guesser = clientAt("127.0.0.77");
                HttpClient other = clientAt("127.0.0.78")) {
            readAccount(guesser, unsigned).has(200);

            long begin = System.nanoTime();
            int lookedUp = guessUntilRefused(guesser, _ -> NO_FIELDS);
            double seconds = (System.nanoTime() - begin) / 1e9;

            assertThat(lookedUp).isBetween(BURST, (int) (BURST + PER_SECOND * seconds) + 1);
            // A key that was valid lately, and a guess of another client.
            readAccount(guesser, unsigned).has(200);
            readAccount(other, guess()).has(401);
        }
    }

    @Test
    void guessesLockOutNoOneBehindTheSameAddress() {
        List<TestAccount> fresh = Stream.generate(() -> TestAccount.onPlan("scale"))
                .limit(ACCOUNTS)
                .toList();
        TestAccount rotating = TestAccount.onPlan("scale");
        try (HttpClient shared = clientAt("127.0.0.76")) {
            guessUntilRefused(shared, _ -> NO_FIELDS);
            String rotated = rotating.request().post("/v1/account/api-key").path("api_key");

            for (TestAccount account : fresh) {
                readAccount(shared, account.apiKey()).has(200);
            }
            readAccount(shared, rotated).has(200);
            readAccount(shared, rotating.apiKey()).has(401);
        }
    }

    /** A guess costs no look-up, so guesses need no limit that other clients of the network would share. */
    @Test
    void guessedSignatureIsRejectedWithoutALookUpAndWithoutALimit() {
        TestDatabase.update("ALTER TABLE account RENAME TO gone");
        try {
            for (int i = 0; i < BURST; i++) {
                String forged = SampleKeys.forged().reveal();
                for (String guess : List.of(forged, forged.substring(0, forged.length() - 1), "oneshot_", "x")) {
                    RawHttp.send("GET", "/v1/account", "Authorization: Bearer " + guess)
                            .has(401);
                }
            }
        } finally {
            TestDatabase.update("ALTER TABLE gone RENAME TO account");
        }
    }

    /**
     * Guesses until a request gets 429, and returns how many got 401.
     *
     * @param fields the header fields of each guess, by its number
     */
    static int guessUntilRefused(HttpClient client, IntFunction<String[]> fields) {
        int guesses = 0;
        RawResponse response = readAccount(client, guess(), fields.apply(0));
        while (response.status() == 401) {
            assertThat(++guesses).isLessThan(GUESSES_MAX);
            response = readAccount(client, guess(), fields.apply(guesses));
        }
        // The response has no RateLimit fields, because the account is unknown.
        response.isError(429, "RATE_LIMITED").has(429, "Retry-After: 1").lacks("RateLimit");
        return guesses;
    }

    /** The account has this key from before keys were signed. */
    private static String unsignedKeyOf(TestAccount account) {
        String key = SampleKeys.unsigned().reveal();
        TestDatabase.update(
                "UPDATE account SET api_key_sha256 = sha256('" + key + "'::bytea) WHERE id = ?::uuid", account.id());
        return key;
    }

    static String guess() {
        return SampleKeys.unsigned().reveal();
    }

    static HttpClient clientAt(String address) {
        return HttpClient.newBuilder()
                .localAddress(InetAddress.ofLiteral(address))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }
}
