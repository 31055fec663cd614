package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class ForegroundLinesTest {

    private final List<String> shown = new ArrayList<>();
    private final ForegroundLines lines = new ForegroundLines(shown::add);

    /** Lines of the stack and warnings of its parts are shown, and everything else is in the logs alone. */
    @ParameterizedTest
    @CsvFileSource(resources = "/lines.txt", quoteCharacter = '`')
    void linesOfTheStackAndWarningsAreShownAndNoOthers(boolean isShown, String line) {
        lines.accept(line.translateEscapes());

        assertThat(shown).isEqualTo(isShown ? List.of(line) : List.of());
    }
}
