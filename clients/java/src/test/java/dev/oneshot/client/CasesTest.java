package dev.oneshot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The mails in {@code clients/cases}, which the tests of the other languages read as well. */
@NullMarked
class CasesTest {

    private static final Path CASES = Path.of("../cases");

    @ParameterizedTest
    @MethodSource("codeCases")
    void codesAreFoundBestFirst(Case mail) {
        List<Code> found = mail.email().codes();

        assertThat(found).as(found.toString()).extracting(Code::value).containsExactlyElementsOf(mail.codes());
    }

    @ParameterizedTest
    @MethodSource("linkCases")
    void linksAreFound(Case mail) {
        assertThat(mail.email().links()).containsExactlyElementsOf(mail.links());
    }

    @ParameterizedTest
    @MethodSource("linkCases")
    void theVerificationLinkIsFound(Case mail) {
        String found = mail.email().verificationLink().map(Link::href).orElse(null);

        assertThat(found).isEqualTo(mail.verification_link());
    }

    /** Long repetitions, on which regular expressions run out of stack or of time. */
    @ParameterizedTest
    @MethodSource("repetitions")
    void hostileMailIsRead(String unit) {
        String body = "code: 482913\n" + unit.repeat(200_000 / unit.length());
        Case mail = new Case("", body, body, "text/plain; format=flowed; delsp=yes");

        assertThat(mail.email().codes()).hasSizeLessThanOrEqualTo(500);
        assertThat(mail.email().verificationLink()).isEmpty();
    }

    @Test
    void thereAreCasesInEachLanguage() throws IOException {
        for (String language : Locale.getISOLanguages()) {
            long cases = codeCases()
                    .filter(mail -> mail.name().matches(language + "(-\\w+)?: .*"))
                    .count();
            assertThat(cases)
                    .as(language)
                    .satisfiesAnyOf(
                            none -> assertThat(none).isZero(),
                            some -> assertThat(some).isGreaterThanOrEqualTo(7));
        }
        assertThat(codeCases()).hasSizeGreaterThanOrEqualTo(800).doesNotHaveDuplicates();
        assertThat(linkCases()).hasSizeGreaterThanOrEqualTo(230).doesNotHaveDuplicates();
    }

    @Test
    void ofTwoCodesThatAreEquallyLikelyNoneIsGuessed() {
        Case mail = new Case("", "Login code: 482913\nPayment code: 775120", "", null);

        assertThat(mail.email().codes()).extracting(Code::value).containsExactly("482913", "775120");
        assertThatThrownBy(() -> mail.email().code()).hasMessageContaining("equally likely: 482913, 775120");
    }

    @Test
    void aUrlIsVisibleAscii() {
        assertThat(new Link("", "https://b\u00fccher.example/a b\u0007\n/gr\u00f6\u00dfe?t=1").url())
                .contains("https://xn--bcher-kva.example/a%20b%07/gr%C3%B6%C3%9Fe?t=1");
        assertThat(new Link("", " https://example.com/ver\r\n\tify ").url()).contains("https://example.com/verify");
        assertThat(new Link("", "https://EXAMPLE.com/Ver").url()).contains("https://example.com/Ver");
        assertThat(new Link("", "https://exa mple.com/verify").url()).isEmpty();
        assertThat(new Link("", "https://").url()).isEmpty();
    }

    /** As {@code new URL} of Node says; IDNA2003 would name other hosts. */
    @ParameterizedTest
    @CsvSource({
        "stra\u00dfe.example, xn--strae-oqa.example",
        "m\u00fcnchen.STRA\u00dfE.example, xn--mnchen-3ya.xn--strae-oqa.example",
        "fa\u00df.de, xn--fa-hia.de",
        "\u03b2\u03cc\u03bb\u03bf\u03c2.example, xn--nxasmm1c.example",
        "\u0392\u038c\u039b\u039f\u03a3.example, xn--nxasmq6b.example",
        "\u65e5\u672c\u8a9e\u3002jp, xn--wgv71a119e.jp",
        "exam_ple.com, exam_ple.com"
    })
    void theHostOfAUrlIsInALabels(String host, String expected) {
        assertThat(new Link("", "https://" + host + "/x").url()).contains("https://" + expected + "/x");
    }

    @Test
    void aHostThatIsTooLongIsNoUrl() {
        assertThat(new Link("", "https://" + "\u00e9".repeat(1_001) + ".example/x").url())
                .isEmpty();
        assertThat(new Link("", "https://\u00df" + "\u00e9".repeat(190_000) + ".example/x").url())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u200cb.example", "stra \u00dfe.example", "\u00df<.example"})
    void aHostWithoutALabelsIsNoUrl(String host) {
        assertThat(new Link("", "https://" + host + "/x").url()).isEmpty();
    }

    static Stream<String> repetitions() throws IOException {
        return read("repetitions.json", String.class);
    }

    static Stream<Case> codeCases() throws IOException {
        return read("codes.json", Case.class);
    }

    static Stream<Case> linkCases() throws IOException {
        return read("links.json", Case.class);
    }

    /** The cases in a file of {@code clients/cases}. */
    static <T> Stream<T> read(String file, Class<T> type) throws IOException {
        try (Reader reader = Files.newBufferedReader(CASES.resolve(file))) {
            return new Gson()
                            .<List<T>>fromJson(
                                    reader,
                                    TypeToken.getParameterized(List.class, type).getType())
                            .stream();
        }
    }

    /** Its members have the names of the file. */
    record Case(
            String name,
            @Nullable String subject,
            @Nullable String text,
            @Nullable String html,
            List<String> codes,
            List<Link> links,
            @Nullable String verification_link,
            @Nullable String content_type) {

        Case(String subject, String textBody, String htmlBody, @Nullable String contentType) {
            this("", subject, textBody, htmlBody, List.of(), List.of(), null, contentType);
        }

        Email email() {
            return new Email(
                    "a@example.org",
                    "b@example.org",
                    Objects.requireNonNullElse(subject, ""),
                    Objects.requireNonNullElse(text, ""),
                    Objects.requireNonNullElse(html, ""),
                    content_type == null ? Map.of() : Map.of("Content-Type", content_type),
                    Instant.EPOCH,
                    0,
                    List.of());
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
