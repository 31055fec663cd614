package dev.oneshot.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.Jazzer;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.oneshot.testing.Law;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fuzzer runs on this JDK and sees the code that an input reaches: it finds a word that chance does not find. */
class PlantedBugTest {

    private static final String WORD = "guided!";
    private static final int FINDING = 77;

    @TempDir
    private Path directory;

    /** Runs only when the fuzzer selects it. */
    static class PlantedBug {

        @FuzzTest
        void wordIsFound(byte[] input) {
            Law.requires(!new String(input, StandardCharsets.ISO_8859_1).contains(WORD), () -> "the planted bug");
        }
    }

    @Test
    void plantedBugIsFoundAndKept() throws IOException, InterruptedException {
        Path corpus = Files.createDirectory(directory.resolve("corpus"));
        Process fuzzer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+EnableDynamicAgentLoading",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Jazzer.class.getName(),
                        "--target_class=" + PlantedBug.class.getName(),
                        "--instrumentation_includes=dev.oneshot.**",
                        "-seed=1",
                        "-runs=1000000",
                        "-artifact_prefix=" + directory + "/",
                        corpus.toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("jazzer.log").toFile())
                .start();

        assertThat(fuzzer.waitFor()).as(() -> log()).isEqualTo(FINDING);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("crash-")))
                    .singleElement()
                    .satisfies(file -> assertThat(Files.readString(file)).contains(WORD));
        }
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("jazzer.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
