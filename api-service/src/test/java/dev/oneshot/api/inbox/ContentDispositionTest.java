package dev.oneshot.api.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContentDispositionTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a.txt | attachment; filename=\"a.txt\"",
                "a b;c.txt | attachment; filename=\"a b;c.txt\"",
                "a\"b\\c.txt | attachment; filename=\"a_b_c.txt\"; filename*=UTF-8''a%22b%5Cc.txt",
                "say \"hi\".txt | attachment; filename=\"say _hi_.txt\"; filename*=UTF-8''say%20%22hi%22.txt",
                "Re: email with sign.eml | attachment; filename=\"Re: email with sign.eml\"",
                "a?b | attachment; filename=\"a?b\"",
                ".profile | attachment; filename=\".profile\"",
                "50%.txt | attachment; filename=\"50_.txt\"; filename*=UTF-8''50%25.txt",
                "Grüße.pdf | attachment; filename=\"Gr__e.pdf\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.pdf",
                "\uD83D\uDE00 | attachment; filename=\"_\"; filename*=UTF-8''%F0%9F%98%80",
            })
    void nameIsGivenPlainlyOrInBothForms(String filename, String header) {
        assertThat(Download.disposition(filename)).isEqualTo(header);
    }

    @Property
    void headerIsVisibleAsciiAndTheExtendedFormIsTheName(@ForAll String name) {
        String filename = StorableText.of(name);
        String header = Download.disposition(filename);

        assertThat(header).matches("[ -~]*");
        int extended = header.indexOf("filename*=UTF-8''");
        if (extended >= 0) {
            String value =
                    header.substring(extended + "filename*=UTF-8''".length()).replace("+", "%2B");
            assertThat(URLDecoder.decode(value, StandardCharsets.UTF_8)).isEqualTo(filename);
        } else {
            assertThat(header).isEqualTo("attachment; filename=\"" + filename + "\"");
        }
    }
}
