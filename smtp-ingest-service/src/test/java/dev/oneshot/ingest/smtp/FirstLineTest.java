package dev.oneshot.ingest.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which content would go on with the field before it, whole and octet by octet. */
class FirstLineTest {

    private static final String BLANKS_MAX = " ".repeat(998);

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "\t",
                " x",
                "\tx: y\r\n",
                " \r",
                " \r\n",
                " \rx",
                " \r\r\n",
                " \r\n x",
                " \r\n\tx",
                " \n x",
                " \r\n \r\nSubject: s\r\n"
            })
    void goesOn(String content) {
        assertThat(isApart(content)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "\r",
                "\n",
                "\r\n",
                "\r\n x",
                "Subject: s\r\n y\r\n",
                " \r\nSubject: s\r\n",
                "\t \n\r\n",
                " \nSubject: s\r\n",
                " \r\n\r\n x"
            })
    void doesNotGoOn(String content) {
        assertThat(isApart(content)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r\nx", "\r\n\r\n"})
    void aLineOfBlanksIsAsLongAsALineMayBe(String after) {
        assertThat(isApart(BLANKS_MAX + after)).isFalse();
        assertThat(isApart(BLANKS_MAX + " " + after)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"   ", "\r\nx", " \r\nx", "\r\n ", "xyz"})
    void soManyOctetsAreEnough(String after) {
        String content = BLANKS_MAX + after;
        assertThat(content).hasSizeLessThanOrEqualTo(FirstLine.OCTETS_MAX + 1);
        FirstLine line = new FirstLine();

        line.read(octets(content), 0, Math.min(FirstLine.OCTETS_MAX, content.length()));

        assertThat(line.isKnown()).isTrue();
    }

    private static boolean isApart(String content) {
        byte[] octets = octets(content);
        FirstLine whole = new FirstLine();
        FirstLine inPieces = new FirstLine();

        whole.read(octets, 0, octets.length);
        for (int i = 0; i < octets.length; i++) {
            inPieces.read(octets, i, i + 1);
        }

        assertThat(inPieces.isApart()).isEqualTo(whole.isApart());
        assertThat(inPieces.isKnown()).isEqualTo(whole.isKnown());
        return whole.isApart();
    }

    private static byte[] octets(String content) {
        return content.getBytes(StandardCharsets.US_ASCII);
    }
}
