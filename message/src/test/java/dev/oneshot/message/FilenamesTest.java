package dev.oneshot.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilenamesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "report.pdf|report.pdf",
                "/etc/passwd|passwd",
                "a/b\\c.txt|c.txt",
                "..\\..\\evil.exe|evil.exe",
                "C:evil.exe|C_evil.exe",
                "name. . .|name",
                "Aux|_Aux",
                "nul.tar.gz|_nul.tar.gz",
                "COM1.txt|_COM1.txt",
                "lpt9|_lpt9",
                "LPT¹.log|_LPT¹.log",
                "CONIN$|_CONIN$",
                "console.log|console.log",
                "com.txt|com.txt",
                "com10|com10",
                ".profile|_profile",
                "a\uFEFFb\u202Ec.txt|abc.txt",
                "über straße.txt|über straße.txt",
            })
    void senderNameBecomesOneThatCanBeSaved(String name, String safe) {
        assertThat(Filenames.safe(name)).isEqualTo(safe);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ".", "..", "...", "/", "a/", "a\\..", " . ", "\u202E", "\r\n"})
    void nameOfWhichNothingIsLeftIsReplaced(String name) {
        assertThat(Filenames.safe(name, 3, "image/png")).isEqualTo("attachment-3.png");
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
        assertThat(Filenames.safe("", 1, type)).isEqualTo("attachment-1" + extension);
    }

    @Test
    void nameOfExactlyTheLongestLengthIsKept() {
        String name = "n".repeat(Filenames.OCTETS_MAX - 4) + ".pdf";
        assertThat(Filenames.safe(name)).isEqualTo(name);
    }

    @Test
    void nameOneOctetTooLongLosesACharacterBeforeItsExtension() {
        String name = "n".repeat(Filenames.OCTETS_MAX - 3) + ".pdf";
        assertThat(Filenames.safe(name)).isEqualTo("n".repeat(Filenames.OCTETS_MAX - 4) + ".pdf");
    }

    @Test
    void shorteningCutsNoCharacter() {
        assertThat(Filenames.safe("𝄞".repeat(100) + ".mid")).isEqualTo("𝄞".repeat(62) + ".mid");
    }

    @Property(tries = 2000)
    void anyNameBecomesSafe(@ForAll String name) {
        String safe = Filenames.safe(name, 1, "text/plain");

        assertThat(safe).isNotBlank().doesNotContainPattern("[\\p{Cntrl}/\\\\:*?\"<>|\u202A-\u202E]");
        assertThat(safe).doesNotStartWith(".").doesNotEndWith(".").isEqualTo(safe.strip());
        assertThat(safe.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(Filenames.OCTETS_MAX);
        assertThat(new String(safe.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                .isEqualTo(safe);
        assertThat(Filenames.safe(safe)).as("idempotent").isEqualTo(safe);
    }
}
