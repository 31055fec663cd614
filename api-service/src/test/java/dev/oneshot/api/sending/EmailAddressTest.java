package dev.oneshot.api.sending;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

class EmailAddressTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a@b",
                "ada.lovelace+tag@example.org",
                "!#$%&'*+-/=?^_`{|}~@example.org",
                "\"a b\"@example.org",
                "\"a@b\"@example.org",
                "\"\\\"\"@example.org",
                "用户@例え.jp",
                "δοκιμή@example.org",
                "a@xn--r8jz45g.jp",
                "a@[127.0.0.1]",
                "a@[IPv6:2001:db8::1]",
                "a@[IPv6:::1]",
                "a@[IPv6:1:2:3:4:5:6:7:8]"
            })
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
    @ValueSource(
            strings = {
                "text/plain",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
                "text/plain; charset=utf-8",
                "text/plain;charset=\"utf-8\"; format=flowed",
                "image/svg+xml"
            })
    void theseAreMediaTypes(String text) {
        assertThat(SendRequest.isMediaType(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text",
                "text/",
                "/plain",
                "text/plain/x",
                "text/plain;",
                "text/plain; charset",
                "text/plain\r\nX: y",
                "text/pläin",
                "text/ plain",
                "*/*"
            })
    void theseAreNoMediaTypes(String text) {
        assertThat(SendRequest.isMediaType(text)).isFalse();
    }
}
