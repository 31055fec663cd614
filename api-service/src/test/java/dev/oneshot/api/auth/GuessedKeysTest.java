package dev.oneshot.api.auth;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.account.SampleKeys;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Guessed keys over HTTP. */
@ServiceTest
class GuessedKeysTest {

    private static final int GUESSES = 50;

    /** A guess costs no look-up, so guesses need no limit, which other clients of the network would share. */
    @Test
    void guessedSignatureIsRejectedWithoutALookUpAndWithoutALimit() {
        TestDatabase.update("ALTER TABLE account RENAME TO gone");
        try {
            for (int i = 0; i < GUESSES; i++) {
                String forged = SampleKeys.forged().reveal();
                for (String guess :
                        List.of(forged, forged.substring(0, 48), forged.substring(0, 63), "oneshot_", "x")) {
                    RawHttp.send("GET", "/v1/account", "Authorization: Bearer " + guess)
                            .has(401);
                }
            }
        } finally {
            TestDatabase.update("ALTER TABLE gone RENAME TO account");
        }
    }
}
