package dev.oneshot.api.sending;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecipientDigestTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "true | ada@example.org | Ada@EXAMPLE.org",
                "true | ada@example.org | ada@example.org.",
                "true | \"ada\"@example.org | ada@example.org",
                "true | \"a\\b\"@example.org | ab@example.org",
                "true | ada@bücher.example | ada@xn--bcher-kva.example",
                "true | ada@straße.example | ada@xn--strae-oqa.example",
                "false | ada@straße.example | ada@strasse.example",
                "true | δοκιμή@example.org | ΔΟΚΙΜΉ@example.org",
                "false | ada@example.org | ada@example.net",
                "false | ada@example.org | ad@example.org",
                "false | ada@example.org | ada",
                "false | ada@example.org | ``"
            })
    void oneMailboxHasOneDigestHoweverItIsWritten(boolean same, String one, String other) {
        assertThat(RecipientDigest.of("id", one).equals(RecipientDigest.of("id", other)))
                .isEqualTo(same);
    }

    @ParameterizedTest
    @CsvSource("first, second")
    void itIsAnotherForEachSend(String one, String other) {
        assertThat(RecipientDigest.of(one, "a@b.example")).isNotEqualTo(RecipientDigest.of(other, "a@b.example"));
    }
}
