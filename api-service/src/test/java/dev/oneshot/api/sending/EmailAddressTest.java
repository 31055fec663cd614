package dev.oneshot.api.sending;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

class EmailAddressTest {

    @ParameterizedTest
    @CsvFileSource(resources = "/sending/mailboxes.txt", delimiter = '|', quoteCharacter = '`')
    void theseAreMailboxes(String text) {
        assertThat(EmailAddress.isValid(text)).isTrue();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/sending/not-mailboxes.txt", delimiter = '|', quoteCharacter = '`')
    @ValueSource(
            strings = {
                "",
                "a@b\r\nBcc: c@d",
                "a\u0000@b",
                "\"\n\"@example.org",
                "a\u202e@example.org",
                "a\u00a0@example.org",
                "\ud800@example.org"
            })
    void theseAreNot(String text) {
        assertThat(EmailAddress.isValid(text)).isFalse();
    }

    @Test
    void lengthsHaveBoundsInOctetsAndCharacters() {
        assertThat(EmailAddress.isValid("a".repeat(64) + "@example.org")).isTrue();
        assertThat(EmailAddress.isValid("a".repeat(65) + "@example.org")).isFalse();
        assertThat(EmailAddress.isValid("ü".repeat(32) + "@example.org")).isTrue();
        assertThat(EmailAddress.isValid("ü".repeat(33) + "@example.org")).isFalse();
        assertThat(EmailAddress.isValid("a@" + "b".repeat(63) + ".org")).isTrue();
        assertThat(EmailAddress.isValid("a@" + "b".repeat(64) + ".org")).isFalse();
        String long252 = "b.".repeat(125) + "cc";
        assertThat(EmailAddress.isValid("a@" + long252)).isTrue();
        assertThat(EmailAddress.isValid("a@" + long252 + "c")).isFalse();
    }

    @Test
    void domainWhoseLabelIsTooLongForPunycodeIsNone() {
        assertThat(EmailAddress.isValid("a@" + "\uFDFA".repeat(60))).isFalse();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/sending/media-types.txt", delimiter = '|', quoteCharacter = '`')
    void mediaTypeHasTypeAndSubtypeAndWholeParameters(String text, boolean isValid) {
        assertThat(SendRequest.isMediaType(text.translateEscapes())).isEqualTo(isValid);
    }
}
