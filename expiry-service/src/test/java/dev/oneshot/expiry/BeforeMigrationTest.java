package dev.oneshot.expiry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.expiry.database.TestDatabase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BeforeMigrationTest {

    private final TestDatabase database = TestDatabase.empty();
    private final BeforeMigration migration = new BeforeMigration(database.asService());
    private final List<Level> lines = new CopyOnWriteArrayList<>();
    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger(BeforeMigration.class.getName());
    private final Handler recorder = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel());
            messages.add(line.getMessage());
        }

        @Override
        public void flush() {
            // No buffer.
        }

        @Override
        public void close() {
            // No resource.
        }
    };

    @BeforeEach
    void listen() {
        logger.addHandler(recorder);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(recorder);
    }

    @Test
    void nothingRunsBeforeTheMigrationAndAllAfterIt() {
        assertThat(migration.isMigrated()).isFalse();
        assertThat(migration.isMigrated()).isFalse();
        assertThat(migration.call().getStatus()).isEqualTo(Status.DOWN);
        assertThat(lines.stream().filter(level -> level.intValue() >= Level.INFO.intValue()))
                .as("it waits calmly: one line, and no warning")
                .containsExactly(Level.INFO);

        database.migrate();

        assertThat(migration.isMigrated()).isTrue();
        assertThat(migration.call().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void reasonOfAFailedConnectionIsLoggedOnce() {
        BeforeMigration misled = new BeforeMigration(database.asUnknownRole());

        assertThat(misled.isMigrated()).isFalse();
        assertThat(misled.isMigrated()).isFalse();

        assertThat(messages.stream().filter(line -> line.contains("waiting")))
                .singleElement()
                .asString()
                .contains(TestDatabase.UNKNOWN_ROLE);
    }

    @Test
    void onceMigratedTheDatabaseIsNotQueriedAgain() {
        database.migrate();
        assertThat(migration.isMigrated()).isTrue();

        database.execute("REVOKE ALL ON address FROM " + TestDatabase.ROLE);

        assertThat(migration.isMigrated()).isTrue();
    }
}
