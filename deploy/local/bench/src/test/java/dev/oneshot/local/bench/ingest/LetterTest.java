package dev.oneshot.local.bench.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LetterTest {

    @ParameterizedTest
    @ValueSource(ints = {2048, 10_240, 102_400, 5_242_880})
    void aMessageHasAboutTheSizeAskedForAndOneEnd(int octets) {
        byte[] content = Letter.content(octets);

        String text = new String(content, StandardCharsets.US_ASCII);
        assertThat(content.length).isBetween(octets - 100, octets + 100);
        assertThat(text).endsWith("\r\n.\r\n").doesNotContain("\r\n..");
        assertThat(text.indexOf("\r\n.\r\n")).isEqualTo(text.length() - 5);
    }
}
