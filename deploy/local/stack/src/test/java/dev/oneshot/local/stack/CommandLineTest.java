package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {

    private static final Instant BUILT = Instant.parse("2026-01-01T00:00:00Z");

    private static final int STARTS = 5_000;

    @TempDir
    Path project;

    /** The JVM does not replace an archive of earlier classes. */
    @ParameterizedTest
    @CsvSource({"-1, false", "0, true", "1, true"})
    void archiveThatIsOlderThanTheServiceIsDeleted(long secondsAfterTheBuild, boolean kept) throws IOException {
        StackSettings settings = StackSettings.ofEnvironment(project, Map.of());
        write(Service.API.jar(project), BUILT);
        Path archive = write(settings.archives().resolve("api.jsa"), BUILT.plusSeconds(secondsAfterTheBuild));

        assertThat(new CommandLine(settings).of(Service.API)).contains("-XX:SharedArchiveFile=" + archive);

        assertThat(Files.exists(archive)).isEqualTo(kept);
    }

    /** Of a killed JVM: the header is missing, or nothing was written. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\0\0\0\0classes"})
    void incompleteArchiveIsDeleted(String content) throws IOException {
        StackSettings settings = StackSettings.ofEnvironment(project, Map.of());
        write(Service.API.jar(project), BUILT);
        Path archive = settings.archives().resolve("api.jsa");
        Files.createDirectories(archive.getParent());
        Files.writeString(archive, content);

        assertThat(new CommandLine(settings).of(Service.API)).contains("-XX:SharedArchiveFile=" + archive);

        assertThat(archive).doesNotExist();
    }

    /** Replicas that start at once delete the same archive, and a JVM replaces it. */
    @Test
    void archiveMayVanishAtAnyMoment() throws Exception {
        StackSettings settings = StackSettings.ofEnvironment(project, Map.of());
        write(Service.API.jar(project), BUILT);
        Path archive = settings.archives().resolve("api.jsa");
        Files.createDirectories(archive.getParent());
        AtomicBoolean isDone = new AtomicBoolean();
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            Future<?> replacing = other.submit(() -> {
                while (!isDone.get()) {
                    Files.move(write(project.resolve("whole.jsa"), BUILT), archive, StandardCopyOption.ATOMIC_MOVE);
                    Files.delete(archive);
                }
                return null;
            });
            try {
                for (int i = 0; i < STARTS; i++) {
                    assertThat(new CommandLine(settings).of(Service.API)).contains("-XX:SharedArchiveFile=" + archive);
                }
            } finally {
                isDone.set(true);
            }
            assertThat(replacing).succeedsWithin(Duration.ofMinutes(1));
        }
    }

    private static Path write(Path file, Instant time) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "header");
        return Files.setLastModifiedTime(file, FileTime.from(time));
    }
}
