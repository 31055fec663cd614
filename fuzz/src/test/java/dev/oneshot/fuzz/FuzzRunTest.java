package dev.oneshot.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fuzzer itself, for seconds: that it runs on this JDK, sees the code it runs, and finds what there is to find. */
class FuzzRunTest {

    private static final Path PROJECT = Path.of(System.getProperty("oneshot.project"));

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void targetKeepsItsLawsForSomeSeconds(Target target) throws IOException, InterruptedException {
        FuzzRun run = FuzzRun.on(target, PROJECT, directory).repeatably(2_000).during(Duration.ofSeconds(5));
        Path log = directory.resolve("jazzer.log");

        boolean nothing = run.findsNothing(ProcessBuilder.Redirect.to(log.toFile()));

        assertThat(nothing).as(() -> text(log)).isTrue();
        assertThat(run.found()).isEmpty();
        assertThat(directory.resolve("corpus")).isNotEmptyDirectory();
    }

    @Test
    void plantedBugIsFoundAndKept() throws IOException, InterruptedException {
        FuzzRun run = new FuzzRun(directory, "planted", PlantedBug.class).repeatably(1_000_000);

        boolean nothing = run.findsNothing(ProcessBuilder.Redirect.DISCARD);

        assertThat(nothing).isFalse();
        assertThat(run.found())
                .singleElement()
                .satisfies(file -> assertThat(Files.readString(file)).contains(PlantedBug.WORD));
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
