package dev.oneshot.expiry.partition;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.expiry.database.TestDatabase;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The bytes of a dropped mail leave the files of PostgreSQL. */
class DroppedMailFilesTest {

    private final TestDatabase database = TestDatabase.create();
    private final MailPartitions partitions = new MailPartitions(database.asService());
    private final String marker = "marker-" + UUID.randomUUID();
    private final Path data = Path.of(database.text("SHOW data_directory"));
    private final Path tables = data.resolve("base")
            .resolve(database.text("SELECT oid FROM pg_database WHERE datname = current_database()"));
    private final Path log = data.resolve("pg_wal");

    @Test
    void deletedMailLeavesTheTableFilesWithItsPartitionAndTheLogWhenThatIsReused() throws Exception {
        database.insertAddresses("over", 1, "-2 hours", true);
        database.execute("UPDATE mail SET content = convert_to(repeat('" + marker + "', 100), 'UTF8')");
        database.execute("DELETE FROM mail");
        database.execute("CHECKPOINT");
        assertThat(isIn(tables)).as("the search finds what is there").isTrue();
        assertThat(isIn(log)).isTrue();

        assertThat(partitions.dropOldest(Duration.ZERO, Duration.ofSeconds(1))).isPresent();

        assertThat(isIn(tables)).isFalse();
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
            database.text("SELECT pg_switch_wal()");
            database.execute("CHECKPOINT");
            assertThat(isIn(log)).isFalse();
        });
    }

    private boolean isIn(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                if (Files.isRegularFile(file) && contains(file)) {
                    return true;
                }
            }
            return false;
        }
    }

    private boolean contains(Path file) throws IOException {
        try {
            return Files.readString(file, ISO_8859_1).contains(marker);
        } catch (NoSuchFileException e) {
            // Removed after the directory was listed.
            return false;
        }
    }
}
