package dev.oneshot.local.stack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages of {@code ./oneshot} alone in a folder, where it can neither build nor start anything. */
class OneshotScriptTest {

    private static final Path PROJECT = Path.of(System.getProperty("user.dir")).resolve("../../..");

    @TempDir
    Path folder;

    private record Said(int status, String out, String err) {}

    @BeforeEach
    void scriptAlone() throws IOException {
        for (String file : List.of("oneshot", "pom.xml")) {
            Files.copy(PROJECT.resolve(file), folder.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"up", "status", "down", "test", "fuzz", "bench", "chaos", "check-dns", "native-check", "native"})
    void helpOfACommandIsPrintedWithoutDoingAnything(String command) throws Exception {
        for (List<String> words :
                List.of(List.of(command, "--help"), List.of(command, "-h"), List.of(command, "x", "-h"))) {
            Said said = oneshot(words);

            assertThat(said.out()).startsWith("usage: ./oneshot " + command);
            assertThat(said.err()).isEmpty();
            assertThat(said.status()).isZero();
        }
        assertThat(oneshot(List.of("--help")).out()).containsPattern("\n  " + command + "[ \n]");
        assertThat(nothingWasLeft()).isTrue();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/refused-words.txt", delimiter = '|')
    void whatCannotBeUnderstoodIsNamedBeforeAnythingIsDone(String words, String message) throws Exception {
        Said said = oneshot(List.of(words.split(" ", -1)));

        assertThat(said.err()).startsWith("oneshot: " + message + "\n");
        assertThat(said.status()).isEqualTo(2);
        assertThat(nothingWasLeft()).isTrue();
    }

    @Test
    void theVersionIsThatOfTheProject() throws Exception {
        Said said = oneshot(List.of("--version"));

        assertThat(said.out()).matches("oneshot [0-9.]+(-SNAPSHOT)?\n");
        assertThat(said.status()).isZero();
    }

    /** A Maven that downloads, and then prints nothing until the script has said so. */
    @Test
    void aBuildShowsWhatItDoesWhileMavenIsSilent(@TempDir Path tools) throws Exception {
        Path seen = tools.resolve("seen");
        String maven = """
                printf '\\e[0m[INFO] Building oneshot :: message   1.0.0  [1/9]\\n'
                printf '[INFO] Downloaded from central: https://repo.example/a.jar (5 kB at 9 kB/s)\\n'
                printf '[INFO] a line for the log\\n'
                until [[ -e %s ]]; do :; done
                printf '[ERROR] that is all\\n\\e[0m'
                exit 1
                """.formatted(seen);
        Path log = Files.createDirectories(folder.resolve(".oneshot/logs")).resolve("build.log");
        Path out = tools.resolve("out");
        Process script = withMaven(tools, maven, "up");
        await().atMost(Duration.ofMinutes(3)).until(() -> Files.readString(out).contains("  … message"));
        Files.writeString(seen, "");

        assertThat(script.waitFor()).isEqualTo(1);
        assertThat(Files.readString(out))
                .contains("oneshot: the first build takes about", "\n  message   1.0.0  [1/9]\n")
                .containsPattern("  … message, [0-9]+ s, 1 files downloaded\n")
                .contains("[ERROR] that is all\n", "oneshot: the build failed")
                .doesNotContain("\033", "a line for the log", "tick");
        assertThat(Files.readString(log)).contains("a line for the log\n").doesNotContain("tick");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log)))
                .isEqualTo("rw-------");
    }

    /** With a Maven that only prints its arguments. */
    @Test
    void theWordClientsStandsForAllTheirModules(@TempDir Path tools) throws Exception {
        Path asked = tools.resolve("asked");
        String maven = """
                printf '%%s\n' "$@" >%s
                """.formatted(asked);
        Process script = withMaven(tools, maven, "test", "clients");

        assertThat(script.waitFor()).isZero();

        List<String> words = Files.readAllLines(asked);
        assertThat(words).contains("verify", "--also-make");
        assertThat(words.get(words.indexOf("--projects") + 1).split(",", -1))
                .contains("clients/java", "clients/java-junit", "clients/tests")
                .allMatch(module -> module.startsWith("clients/"));
        assertThat(words).anyMatch(word -> word.startsWith("-Dtest="));
    }

    /** Runs the script with a Maven that does this; its output is in the file {@code out}. */
    private Process withMaven(Path tools, String does, String... words) throws IOException {
        Path maven = Files.createDirectories(tools.resolve("bin")).resolve("mvn");
        Files.writeString(maven, """
                #!/usr/bin/env bash
                if [[ $1 == -version ]]; then echo "Apache Maven 3.9.9"; exit; fi
                """ + does);
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwx------"));
        List<String> command =
                new ArrayList<>(List.of("bash", folder.resolve("oneshot").toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(tools.resolve("out").toFile());
        builder.environment().put("MAVEN_HOME", tools.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.start();
    }

    @Test
    void withoutAStackNothingIsRunning() throws Exception {
        assertThat(oneshot(List.of("status")).status()).isEqualTo(3);
        assertThat(oneshot(List.of("down")).status()).isZero();
        assertThat(nothingWasLeft()).isTrue();
    }

    @Test
    void aSecondUpIsRefusedBeforeAnythingIsBuilt() throws Exception {
        // With the command line of a stack, as the script checks more than the process id.
        Process stack = new ProcessBuilder(
                        "bash",
                        "-c",
                        "exec -a \"$0\" sleep 600",
                        "dev.oneshot.local.stack.Main " + folder.toRealPath() + " up")
                .start();
        try {
            Path recorded =
                    Files.createDirectories(folder.resolve(".oneshot/run")).resolve("stack.pid");
            Files.writeString(recorded, stack.pid() + " 2026-01-01T00:00:00Z\n");

            Said said = oneshot(List.of("up", "--detach"));

            assertThat(said.err()).startsWith("oneshot: already running (process " + stack.pid() + ")");
            assertThat(said.status()).isEqualTo(1);
            assertThat(folder.resolve(".oneshot/logs/build.log")).doesNotExist();
            assertThat(folder.resolve(".oneshot/logs/stack.log")).doesNotExist();
        } finally {
            stack.destroyForcibly().waitFor();
        }
    }

    private Said oneshot(List<String> words) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("bash", folder.resolve("oneshot").toString()));
        command.addAll(words);
        Process script = new ProcessBuilder(command).start();
        String out = new String(script.getInputStream().readAllBytes(), UTF_8);
        String err = new String(script.getErrorStream().readAllBytes(), UTF_8);
        return new Said(script.waitFor(), out, err);
    }

    private boolean nothingWasLeft() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .sorted()
                    .toList()
                    .equals(List.of("oneshot", "pom.xml"));
        }
    }
}
