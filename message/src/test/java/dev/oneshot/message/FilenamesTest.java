package dev.oneshot.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilenamesTest {

    @ParameterizedTest
    @CsvSource({"/etc/passwd, passwd", "a/b\\c.txt, c.txt", "..\\..\\evil.exe, evil.exe", "C:\\temp\\a.pdf, a.pdf"})
    void pathIsLeftOut(String name, String expected) {
        assertThat(Filenames.of(name)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "kept-filenames.txt", delimiter = '|', quoteCharacter = '`')
    @ValueSource(strings = "a\uFEFFb\u202Ec.txt")
    void allElseStaysAsItWasSent(String name) {
        assertThat(Filenames.of(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ".", "..", "/", "a/", "a\\..", " . "})
    void nameOfWhichNothingIsLeftIsReplaced(String name) {
        assertThat(Filenames.of(name, 3, "image/png")).isEqualTo("attachment-3.png");
    }

    @ParameterizedTest
    @CsvSource({
        "message/rfc822,.eml",
        "text/calendar,.ics",
        "application/pdf,.pdf",
        "image/jpeg,.jpg",
        "application/octet-stream,.bin",
        "application/x-unknown,.bin",
        "application/vnd.some.very.long.thing,.bin",
        "image/,.bin",
    })
    void missingNameEndsWithTheExtensionOfItsType(String type, String extension) {
        assertThat(Filenames.of("", 1, type)).isEqualTo("attachment-1" + extension);
    }

    @Test
    void nameThatIsTooLongLosesCharactersBeforeItsExtension() {
        String longest = "é".repeat(Filenames.CHARACTERS_MAX - 4) + ".pdf";

        assertThat(Filenames.of(longest)).isEqualTo(longest);
        assertThat(Filenames.of("é" + longest)).isEqualTo(longest);
        String clefs = "𝄞".repeat((Filenames.CHARACTERS_MAX - 4) / 2 - 1);
        assertThat(Filenames.of("n" + clefs + "𝄞.mid")).isEqualTo("n" + clefs + ".mid");
    }

    @Property(tries = 2000)
    void anyNameIsOneElementOfAPath(@ForAll String text) {
        String name = Filenames.of(HeaderText.decode(text.getBytes(StandardCharsets.UTF_8)), 1, "text/plain");

        MessageLaws.isElementOfAPath(name);
    }
}
