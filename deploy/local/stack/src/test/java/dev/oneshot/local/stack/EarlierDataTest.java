package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start with data that an earlier start has left. {@code OneshotScriptTest} starts with data of this version. */
class EarlierDataTest {

    @TempDir
    Path project;

    @Test
    void dataOfABuildBeforeTheFirstReleaseIsRefusedInOneLine() throws Exception {
        // Given
        Path state = Files.createDirectories(project.resolve(".oneshot"));
        Files.createDirectories(state.resolve("postgres"));

        // When
        Process starting = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        project.toString(),
                        "up")
                .redirectErrorStream(true)
                .start();
        String output;
        try (InputStream in = starting.getInputStream()) {
            output = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }

        // Then
        assertThat(output)
                .isEqualTo("oneshot: the data in " + state + " is of a build before 1.0.0: remove that folder\n");
        assertThat(starting.waitFor()).isEqualTo(1);
        assertThat(state.resolve("kafka")).doesNotExist();
    }
}
