package dev.oneshot.api.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class ContentDispositionTest {

    @ParameterizedTest
    @CsvFileSource(resources = "/inbox/content-dispositions.txt", delimiter = '|', quoteCharacter = '`')
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
