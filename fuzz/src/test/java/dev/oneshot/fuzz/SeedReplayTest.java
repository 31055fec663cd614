package dev.oneshot.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every seed keeps the laws. What the fuzzer once found is a fixture of the module it was found in, and so a seed. */
class SeedReplayTest {

    private static final Path PROJECT = Path.of(System.getProperty("oneshot.project"));

    @TestFactory
    Stream<DynamicTest> messageKeepsTheLaws() throws IOException {
        return new Seeds(PROJECT)
                .files(Target.PARSER).stream()
                        .map(file -> dynamicTest(
                                file.getFileName().toString(),
                                () -> ParserTarget.fuzzerTestOneInput(Seeds.input(Target.PARSER, file))));
    }

    @TestFactory
    Stream<DynamicTest> dialogueKeepsTheLaws() throws IOException {
        return new Seeds(PROJECT)
                .files(Target.SESSION).stream()
                        .map(file -> dynamicTest(
                                file.getFileName().toString(),
                                () -> SessionTarget.fuzzerTestOneInput(Seeds.input(Target.SESSION, file))));
    }

    @Test
    void everyTargetHasSeeds() throws IOException {
        assertThat(new Seeds(PROJECT).files(Target.PARSER)).hasSizeGreaterThan(150);
        assertThat(new Seeds(PROJECT).files(Target.SESSION)).hasSizeGreaterThan(100);
    }

    @Test
    void transcriptGivesWhatItsClientSends() {
        List<String> transcript =
                List.of("# C: a comment", "S: 220 *", "C: a\\\\b\\x41\\s", "C| \\rep{3,ab}", "C|", "C: \u00e4", "S!");

        byte[] octets = ClientOctets.of(transcript);

        assertThat(octets).inHexadecimal().isEqualTo("a\\bA \r\nabababä\r\n".getBytes(StandardCharsets.UTF_8));
    }
}
