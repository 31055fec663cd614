package dev.oneshot.api.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestBean;
import dev.oneshot.api.TestMetrics;
import dev.oneshot.api.TestSettings;
import dev.oneshot.api.database.DatabaseUnavailableException;
import dev.oneshot.api.sending.Sending;
import dev.oneshot.testing.Together;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bulk deletions of many batches, and events between two of them. */
@ServiceTest
class BulkRemovalTest {

    private static final String LATE = "a".repeat(24);
    private static final String WAITING_FOR_LOCK = " FROM pg_stat_activity"
            + " WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'WITH locked%'";

    private final LabelledAddresses labelled = new LabelledAddresses();
    private final List<Integer> batches = new CopyOnWriteArrayList<>();

    @Test
    void twentyThousandAddressesGoWithoutLookingAtAnyTwice() throws SQLException {
        labelled.insert(20_000);
        long mailsReadWhole = mailStatistics("seq_tup_read");
        double announced = announced();

        // Deleted rows stay in the indexes while another transaction, such as a backup, may still see them.
        try (Connection backup = labelled.database().connect();
                Statement statement = backup.createStatement()) {
            backup.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            backup.setAutoCommit(false);
            statement.execute("SELECT count(*) FROM account");

            removal(1_000, 1_000_000).deleteAll(labelled.account(), LabelledAddresses.LABEL);
        }

        await().untilAsserted(() -> assertThat(mailStatistics("n_tup_del")).isEqualTo(20_000));
        assertThat(mailStatistics("seq_tup_read"))
                .as("mails read by reading a partition whole")
                .isEqualTo(mailsReadWhole);
        assertThat(mailStatistics("idx_scan"))
                .as("searches in the indexes of partitions: none where the mail is not")
                .isLessThanOrEqualTo(20_000);
        assertThat(labelled.database()
                        .number("SELECT idx_tup_read FROM pg_stat_user_indexes"
                                + " WHERE indexrelname = 'address_listed_by_label'"))
                .as("addresses found by their label")
                .isLessThanOrEqualTo(20_000);
        assertThat(labelled.addresses() + labelled.mails()).isZero();
        await().untilAsserted(() ->
                assertThat(announced() - announced).as("published or dropped").isEqualTo(20_000));
    }

    @Test
    void addressesFromAClockThatWasAheadGoAsWell() throws SQLException {
        labelled.insertWaiting(LATE);
        labelled.database().execute("UPDATE address SET created_at = now() + interval '1 minute'");

        removal(10, 1_000).deleteAll(labelled.account(), LabelledAddresses.LABEL);

        assertThat(labelled.addresses()).isZero();
    }

    @Test
    void mailThatIsStoredMeanwhileGoesAsWell() throws SQLException {
        labelled.insertWaiting(LATE);

        deleteWhile(
                        "UPDATE address SET status = 'received', mail_from = '', mail_subject = '', mail_received_at = now(),"
                                + " mail_size_bytes = 1, mail_attachment_count = 0;"
                                + " INSERT INTO mail SELECT id, expires_at, '', 'x' FROM address",
                        () -> {})
                .join();

        assertThat(labelled.addresses() + labelled.mails()).isZero();
    }

    @Test
    void addressThatIsCreatedMeanwhileStays() throws SQLException {
        labelled.insert(20);

        deleteWhile("SELECT FROM address LIMIT 1 FOR UPDATE", () -> labelled.insertWaiting(LATE))
                .join();

        assertThat(labelled.addresses()).isEqualTo(1);
        assertThat(labelled.database().number("SELECT count(*) FROM address WHERE id = ?", LATE))
                .isEqualTo(1);
    }

    @Test
    void deletionThatIsCutShortLeavesWholeAddressesAndIsRepeated() throws SQLException {
        labelled.insert(20);

        CompletableFuture<Void> deletion =
                deleteWhile("SELECT FROM address ORDER BY created_at LIMIT 1 OFFSET 5 FOR UPDATE", () -> {
                    labelled.database().execute("SELECT pg_terminate_backend(pid)" + WAITING_FOR_LOCK);
                    await().until(() -> waitingForLock() == 0);
                });

        assertThatThrownBy(deletion::join).hasCauseInstanceOf(DatabaseUnavailableException.class);
        assertThat(labelled.addresses()).as("three batches of four are gone").isEqualTo(8);
        assertThat(labelled.halfDeleted()).isZero();
        deleteAll();
        assertThat(labelled.addresses() + labelled.mails()).isZero();
    }

    /** Begins a deletion while another transaction holds locks, and continues once the deletion waits for one. */
    private CompletableFuture<Void> deleteWhile(String locking, Runnable meanwhile) throws SQLException {
        try (Connection other = labelled.database().connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute(locking);
            CompletableFuture<Void> deletion = CompletableFuture.runAsync(this::deleteAll);
            await().until(() -> waitingForLock() > 0);
            meanwhile.run();
            other.commit();
            return deletion;
        }
    }

    private long waitingForLock() {
        return labelled.database().number("SELECT count(*)" + WAITING_FOR_LOCK);
    }

    @Test
    void noneOfSeveralDeletionsAtOnceReturnsBeforeAllIsGone() {
        labelled.insert(400);

        List<Long> left = Together.times(4, () -> {
            deleteAll();
            return labelled.addresses() + labelled.mails();
        });

        assertThat(left).containsOnly(0L);
    }

    @ParameterizedTest
    @CsvSource({"21, 3", "20, 2", "14, 2", "13, 1", "7, 1", "6, 1", "1, 1"})
    void batchIsBoundedByItsOctetsOfMailButTakesOneAtLeast(long bytesMax, int taken) {
        labelled.insert(5);

        removal(3, bytesMax).deleteAll(labelled.account(), LabelledAddresses.LABEL);

        assertThat(batches.getFirst()).isEqualTo(taken);
        assertThat(batches.stream().mapToInt(Integer::intValue).sum()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({"0, 1, delete-batch ", "10001, 1, delete-batch ", "1, 0, delete-batch-bytes "})
    void boundsOutsideOfTheirRangeAreRefusedByName(int batch, long bytes, String name) {
        assertThatThrownBy(() -> removal(batch, bytes)).hasMessageContaining("oneshot.address." + name);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "10000, 1"})
    void boundsAtTheEndsOfTheirRangeAreTaken(int batch, long bytes) {
        labelled.insert(2);

        removal(batch, bytes).deleteAll(labelled.account(), null);

        assertThat(labelled.addresses() + labelled.mails()).isZero();
    }

    /** In batches of four. */
    private void deleteAll() {
        removal(4, 1_000_000).deleteAll(labelled.account(), LabelledAddresses.LABEL);
    }

    private AddressRemoval removal(int batch, long bytes) {
        return new AddressRemoval(
                labelled.database().database(),
                TestBean.of(ClosedAddresses.class),
                TestBean.of(Sending.class),
                TestSettings.of(
                        AddressConfig.class,
                        "address.keys=none",
                        "address.delete-batch=" + batch,
                        "address.delete-batch-bytes=" + bytes)) {
            @Override
            List<AddressRemoval.Removed> remove(UUID accountId, List<String> ids) {
                batches.add(ids.size());
                return labelled.database().transaction(() -> super.remove(accountId, ids));
            }
        };
    }

    private static double announced() {
        return TestMetrics.sum("oneshot_closed_published_total") + TestMetrics.sum("oneshot_closed_dropped_total");
    }

    private long mailStatistics(String column) {
        return labelled.database()
                .number("SELECT sum(" + column + ") FROM pg_stat_user_tables WHERE relname LIKE 'mail\\_%'");
    }
}
