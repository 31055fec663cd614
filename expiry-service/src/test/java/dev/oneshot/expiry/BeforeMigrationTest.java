package dev.oneshot.expiry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.expiry.database.TestDatabase;
import dev.oneshot.testing.LogLines;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BeforeMigrationTest {

    private final TestDatabase database = TestDatabase.empty();
    private final BeforeMigration migration = new BeforeMigration(database.asService());
    private final LogLines log = LogLines.of(BeforeMigration.class);

    @AfterEach
    void stopListening() {
        log.close();
    }

    @Test
    void nothingRunsBeforeTheMigrationAndAllAfterIt() {
        assertThat(migration.isMigrated()).isFalse();
        assertThat(migration.isMigrated()).isFalse();
        assertThat(migration.call().getStatus()).isEqualTo(Status.DOWN);
        assertThat(log.texts().stream().filter(line -> !line.startsWith("DEBUG")))
                .as("it waits calmly: one line, and no warning")
                .singleElement()
                .asString()
                .startsWith("INFO ");

        database.migrate();

        assertThat(migration.isMigrated()).isTrue();
        assertThat(migration.call().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void nothingRunsBetweenTwoMigrations() {
        // Another database of the server has created the role.
        var _ = TestDatabase.create();

        database.migrate("3");

        assertThat(migration.isMigrated()).isFalse();
    }

    @Test
    void reasonOfAFailedConnectionIsLoggedOnce() {
        BeforeMigration misled = new BeforeMigration(database.asUnknownRole());

        assertThat(misled.isMigrated()).isFalse();
        assertThat(misled.isMigrated()).isFalse();

        assertThat(log.texts().stream().filter(line -> line.contains("waiting")))
                .singleElement()
                .asString()
                .contains(TestDatabase.UNKNOWN_ROLE);
    }
}
