package dev.oneshot.api.auth;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.account.SampleKeys;
import io.restassured.RestAssured;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Guessed keys over HTTP. */
@ServiceTest
class GuessedKeysTest {

    private static final int GUESSES = 100;

    /** So guesses need no limit, which other clients of the same network would share. */
    @Test
    void guessedKeyIsRejectedWithoutALookUp() {
        TestDatabase.execute("ALTER TABLE account RENAME TO gone");
        try {
            for (int i = 0; i < GUESSES; i++) {
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
}
