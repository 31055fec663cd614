package dev.oneshot.expiry.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.expiry.database.TestDatabase;
import dev.oneshot.testing.TestSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpiredAddressesTest {

    private static final String STILL_TO_DO = "SELECT count(*) FROM address WHERE status <> 'expired'";
    private static final String MAILS = "SELECT count(*) FROM mail";

    private final TestDatabase database = TestDatabase.create();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

    @Test
    void contentAndSummaryAreGoneAndTheBareRowStays() throws SQLException {
        database.insertAddresses("received", 3, "-1 second", true);
        database.insertAddresses("waiting", 2, "-1 second", false);

        long swept = sweeper(100).sweepAll();

        assertThat(swept).isEqualTo(5);
        assertThat(database.number(MAILS)).isZero();
        assertThat(database.number("""
            SELECT count(*) FROM address
            WHERE status = 'expired' AND mail_from IS NULL AND mail_subject IS NULL AND mail_received_at IS NULL
                AND mail_size_bytes IS NULL AND mail_attachment_count IS NULL\
            """)).isEqualTo(5);
    }

    /** The columns come from the catalogue: one that is added later is of the summary, unless it is listed here. */
    @Test
    void noOtherColumnSurvives() throws SQLException {
        List<String> summary = database.texts("""
            SELECT column_name FROM information_schema.columns
            WHERE table_name = 'address' AND column_name NOT IN
                ('id', 'account_id', 'mode', 'status', 'label', 'created_at', 'expires_at')\
            """);
        assertThat(summary).contains("mail_from", "mail_subject", "mail_received_at");
        database.insertAddresses("received", 1, "-1 second", true);
        for (String column : summary) {
            database.execute("UPDATE address SET %1$s = coalesce(%1$s, %2$s)".formatted(column, sample(column)));
        }
        assertThat(notNull(summary)).isEqualTo(summary);

        assertThat(sweeper(100).sweepAll()).isEqualTo(1);

        assertThat(notNull(summary)).isEmpty();
    }

    /** A value of the column's type. */
    private String sample(String column) {
        String type = database.text(
                "SELECT data_type FROM information_schema.columns WHERE table_name = 'address' AND column_name = '"
                        + column + "'");
        return switch (type) {
            case "boolean" -> "true";
            case "timestamp with time zone" -> "now()";
            case "bytea" -> "''::bytea";
            case "text" -> "''";
            default -> "1";
        };
    }

    private List<String> notNull(List<String> columns) {
        return columns.stream()
                .filter(column -> database.number("SELECT count(" + column + ") FROM address") == 1)
                .toList();
    }

    @Test
    void whatHasNotExpiredIsLeftAlone() throws SQLException {
        database.insertAddresses("later", 3, "1 minute", true);
        database.insertAddresses("over", 1, "-1 second", true);

        assertThat(sweeper(100).sweepAll()).isEqualTo(1);

        assertThat(database.number(STILL_TO_DO)).isEqualTo(3);
        assertThat(database.number(MAILS)).isEqualTo(3);
    }

    @Test
    void aBatchIsBoundedAndAFullOneIsFollowedByAnother() throws SQLException {
        database.insertAddresses("over", 25, "-1 second", true);

        assertThat(sweeper(10).sweepAll()).isEqualTo(25);

        assertThat(metrics.get("oneshot.expiry.batch").timer().count()).isEqualTo(3);
        assertThat(metrics.get("oneshot.expiry.rows").counter().count()).isEqualTo(25);
    }

    @ParameterizedTest
    @CsvSource({"60, 3", "59, 2", "40, 2", "39, 1", "19, 1", "1, 1"})
    void aBatchIsBoundedByItsOctetsOfMailButTakesOneAtLeast(long batchBytes, int rows) throws SQLException {
        // 20 bytes each.
        database.insertAddresses("over", 3, "-1 second", true);
        ExpiredAddresses sweep = new ExpiredAddresses(settings("batch-bytes=" + batchBytes));

        try (Connection connection = database.asService().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(sweep.sweepBatch(connection)).isEqualTo(new Sweep.Batch(rows, rows < 3));
            connection.commit();
        }

        assertThat(database.number(MAILS)).isEqualTo(3 - rows);
        assertThat(database.number(STILL_TO_DO)).isEqualTo(3 - rows);
    }

    @Test
    void aRowThatIsLockedIsPassedOverAndSweptLater() throws SQLException {
        database.insertAddresses("over", 10, "-1 second", true);
        try (Connection other = database.begin("SELECT id FROM address ORDER BY id LIMIT 1 FOR UPDATE")) {

            assertThat(sweeper(100).sweepAll()).isEqualTo(9);
            other.rollback();
        }

        assertThat(sweeper(100).sweepAll()).isEqualTo(1);
    }

    @Test
    void noStatementWaitsForABatchInProgress() throws SQLException {
        database.insertAddresses("over", 5, "-1 second", true);
        database.insertAddresses("live", 5, "1 minute", false);
        try (Connection batch = database.asService().getConnection()) {
            batch.setAutoCommit(false);
            assertThat(batchesOf(100).sweepBatch(batch)).isEqualTo(new Sweep.Batch(5, false));

            // A reader of the rows being deleted, and the statements of the inbound consumer.
            database.execute("""
                SET lock_timeout = '100ms';
                SELECT * FROM address;
                SELECT * FROM mail;
                UPDATE address SET status = 'received', mail_from = '', mail_subject = '', mail_received_at = now(),
                    mail_size_bytes = 1, mail_attachment_count = 0
                WHERE id LIKE 'live%';
                INSERT INTO mail (address_id, expires_at, piece, content)
                SELECT id, expires_at, 0, '' FROM address WHERE id LIKE 'live%'\
                """);
            batch.commit();
        }

        assertThat(database.number(MAILS)).isEqualTo(5);
    }

    @Test
    void rowsWhosePartitionWasDroppedAreSweptAllTheSame() throws SQLException {
        database.insertAddresses("over", 3, "-3 hours", true);
        database.insertAddresses("recent", 3, "-1 second", true);
        database.execute("SELECT drop_expired_mail_partition('1 hour', '1 second')");
        assertThat(database.number(MAILS)).isEqualTo(3);

        assertThat(sweeper(100).sweepAll()).isEqualTo(6);

        assertThat(database.number(STILL_TO_DO)).isZero();
        assertThat(database.number(MAILS)).isZero();
    }

    @Test
    void aPartitionThatWasNeverAnalysedIsNotReadWhole() throws SQLException {
        database.execute("ALTER SYSTEM SET autovacuum = off");
        database.execute("SELECT pg_reload_conf()");
        try {
            database.insertAddresses("over", 20_000, "-3 hours", true);

            // Building the indexes counts as sequential scans.
            long scansBefore = scansOfMail("seq_scan");

            try (Connection connection = database.asService().getConnection()) {
                connection.setAutoCommit(false);
                assertThat(batchesOf(500).sweepBatch(connection).rows()).isEqualTo(500);
                connection.commit();
            }

            Awaitility.await().until(() -> scansOfMail("idx_scan") > 0);
            assertThat(scansOfMail("seq_scan")).isEqualTo(scansBefore);
            assertThat(database.number(MAILS)).isEqualTo(19_500);
        } finally {
            database.execute("ALTER SYSTEM RESET autovacuum");
            database.execute("SELECT pg_reload_conf()");
        }
    }

    @Test
    void aFailedBatchIsRolledBackAndReported() throws SQLException {
        database.insertAddresses("over", 3, "-1 second", true);
        database.execute("REVOKE DELETE ON mail FROM " + TestDatabase.ROLE);

        assertThatThrownBy(() -> sweeper(100).sweepAll()).isInstanceOf(SQLException.class);

        assertThat(database.number(STILL_TO_DO)).isEqualTo(3);
    }

    private static ExpiredAddresses batchesOf(int batchSize) {
        return new ExpiredAddresses(settings("batch-size=" + batchSize));
    }

    private static SweepConfig settings(String setting) {
        return TestSettings.of(SweepConfig.class, setting);
    }

    private Sweeper sweeper(int batchSize) {
        SweepConfig settings = settings("batch-size=" + batchSize);
        return new Sweeper(database.asService(), new ExpiredAddresses(settings), settings, metrics, () -> false);
    }

    private long scansOfMail(String kind) {
        return database.number(
                "SELECT coalesce(sum(" + kind + "), 0) FROM pg_stat_user_tables WHERE relname LIKE 'mail_%'");
    }
}
