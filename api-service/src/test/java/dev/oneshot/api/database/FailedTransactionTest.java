package dev.oneshot.api.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestBean;
import dev.oneshot.api.TestDatabase;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;

@ServiceTest
class FailedTransactionTest {

    @Inject
    Database database;

    @Inject
    Writer writer;

    private static final String CONTENT = "a secret content";

    private final UUID id = UUID.randomUUID();

    /** A transaction that writes, and then ends as the test says. */
    @ApplicationScoped
    static class Writer {

        private final Database database;

        Writer(Database database) {
            this.database = database;
        }

        @Transactional
        int write(UUID id, IntSupplier end) {
            database.update(
                    "INSERT INTO invoice_item (reference, account_id, credits) VALUES (?, ?, 1)", "test-" + id, id);
            return end.getAsInt();
        }
    }

    /** For example, an address was charged, and its mail did not fit into memory. */
    @Test
    void nothingIsLeftOfOneThatEndedWithAnError() {
        assertThatThrownBy(() -> writer.write(id, () -> {
                    throw new StackOverflowError();
                }))
                .isInstanceOf(StackOverflowError.class);

        assertThat(written()).isZero();
    }

    @Test
    void oneThatLostARaceIsRepeatedFromItsBeginning() {
        AtomicInteger attempts = new AtomicInteger();

        int last = writer.write(id, () -> {
            if (attempts.incrementAndGet() < 3) {
                fail("40P01");
            }
            return attempts.get();
        });

        assertThat(last).isEqualTo(3);
        assertThat(written()).isEqualTo(1);
    }

    @Test
    void oneThatLosesEveryRaceIsUnavailable() {
        assertThatThrownBy(() -> writer.write(id, () -> {
                    fail("40001");
                    return 0;
                }))
                .isInstanceOf(DatabaseUnavailableException.class);

        assertThat(written()).isZero();
    }

    @Test
    void oneWhoseConnectionEndsBeforeTheCommitIsUnavailable() {
        assertThatThrownBy(() -> writer.write(id, () -> {
                    terminate(database.row("SELECT pg_backend_pid()", row -> row.getInt(1))
                            .orElseThrow());
                    return 0;
                }))
                .isInstanceOf(DatabaseUnavailableException.class);

        assertThat(written()).isZero();
    }

    @Test
    void whatWasToBeStoredIsNotInTheException() throws SQLException {
        DataSource source = TestBean.of(DataSource.class);
        BatchUpdateException failure;
        try (Connection connection = source.getConnection();
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO address (id, mail_subject) VALUES ('x', ?)")) {
            insert.setString(1, CONTENT);
            insert.addBatch();
            failure = catchThrowableOfType(BatchUpdateException.class, insert::executeBatch);
        }

        assertThat(failure.getSQLState()).isEqualTo("23502");
        assertThat(StreamSupport.stream(failure.spliterator(), false).map(Throwables::getStackTrace))
                .isNotEmpty()
                .allSatisfy(logged -> assertThat(logged).doesNotContain(CONTENT));
    }

    private void fail(String sqlState) {
        database.update("DO $$ BEGIN RAISE SQLSTATE '" + sqlState + "'; END $$");
    }

    private static void terminate(int backend) {
        TestDatabase.count("SELECT pg_terminate_backend(?::int)::int", String.valueOf(backend));
    }

    private long written() {
        return database.row("SELECT count(*) FROM invoice_item WHERE account_id = ?", row -> row.getLong(1), id)
                .orElseThrow();
    }
}
