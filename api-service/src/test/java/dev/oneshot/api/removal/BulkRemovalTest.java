package dev.oneshot.api.removal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestBean;
import dev.oneshot.api.TestMetrics;
import dev.oneshot.api.address.AddressConfig;
import dev.oneshot.api.address.ClosedAddresses;
import dev.oneshot.api.address.Label;
import dev.oneshot.api.database.DatabaseUnavailableException;
import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.api.sending.Outbox;
import dev.oneshot.testing.TestSettings;
import dev.oneshot.testing.Together;
import java.sql.Connection;
import java.sql.SQLException;
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

    private static final Label LABEL = new Label("bulk");
    private static final String LATE = "a".repeat(24);
    private static final String WAITING_FOR_LOCK = " FROM pg_stat_activity"
            + " WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'WITH locked%'";

    private final FreshDatabase database = FreshDatabase.create();
    private final UUID account = database.account();
    private final List<Integer> batches = new CopyOnWriteArrayList<>();

    @Test
    void twentyThousandAddressesGoWithoutLookingAtAnyTwice() throws SQLException {
        insert(20_000);
        long mailsReadWhole = mailStatistics("seq_tup_read");
        double announced = announced();

        // Deleted rows stay in the indexes while another transaction, such as a backup, may still see them.
        try (Connection _ =
                database.sql().begin("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM account")) {
            removal(1_000, 1_000_000).deleteAll(account, LABEL);
        }

        await().untilAsserted(() -> assertThat(mailStatistics("n_tup_del")).isEqualTo(20_000));
        assertThat(mailStatistics("seq_tup_read"))
                .as("mails read by reading a partition whole")
                .isEqualTo(mailsReadWhole);
        assertThat(mailStatistics("idx_scan"))
                .as("searches in the indexes of partitions: none where the mail is not")
                .isLessThanOrEqualTo(20_000);
        assertThat(database.number("SELECT idx_tup_read FROM pg_stat_user_indexes"
                        + " WHERE indexrelname = 'address_listed_by_label'"))
                .as("addresses found by their label")
                .isLessThanOrEqualTo(20_000);
        assertThat(addresses() + mails()).isZero();
        await().untilAsserted(() ->
                assertThat(announced() - announced).as("published or dropped").isEqualTo(20_000));
    }

    @Test
    void addressesFromAClockThatWasAheadAreDeletedToo() throws SQLException {
        insertWaiting(LATE);
        database.execute("UPDATE address SET created_at = now() + interval '1 minute'");

        removal(10, 1_000).deleteAll(account, LABEL);

        assertThat(addresses()).isZero();
    }

    @Test
    void mailThatIsStoredDuringTheDeletionIsDeletedToo() throws SQLException {
        insertWaiting(LATE);

        deleteWhile(
                        "UPDATE address SET status = 'received', mail_from = '', mail_subject = '', mail_received_at = now(),"
                                + " mail_size_bytes = 1, mail_attachment_count = 0;"
                                + " INSERT INTO mail SELECT id, expires_at, 0, 'x' FROM address",
                        () -> {})
                .join();

        assertThat(addresses() + mails()).isZero();
    }

    @Test
    void addressThatIsCreatedDuringTheDeletionStays() throws SQLException {
        insert(20);

        deleteWhile("SELECT FROM address LIMIT 1 FOR UPDATE", () -> insertWaiting(LATE))
                .join();

        assertThat(addresses()).isEqualTo(1);
        assertThat(database.number("SELECT count(*) FROM address WHERE id = ?", LATE))
                .isEqualTo(1);
    }

    @Test
    void deletionThatIsCutShortLeavesWholeAddressesAndIsRepeated() throws SQLException {
        insert(20);

        CompletableFuture<Void> deletion =
                deleteWhile("SELECT FROM address ORDER BY created_at LIMIT 1 OFFSET 5 FOR UPDATE", () -> {
                    database.execute("SELECT pg_terminate_backend(pid)" + WAITING_FOR_LOCK);
                    await().until(() -> waitingForLock() == 0);
                });

        assertThatThrownBy(deletion::join).hasCauseInstanceOf(DatabaseUnavailableException.class);
        assertThat(addresses()).as("three batches of four are gone").isEqualTo(8);
        assertThat(halfDeleted()).isZero();
        deleteAll();
        assertThat(addresses() + mails()).isZero();
    }

    /** Begins a deletion while another transaction holds locks, and continues once the deletion waits for one. */
    private CompletableFuture<Void> deleteWhile(String locking, Runnable event) throws SQLException {
        try (Connection other = database.sql().begin(locking)) {
            CompletableFuture<Void> deletion = CompletableFuture.runAsync(this::deleteAll, Thread::startVirtualThread);
            await().until(() -> deletion.isDone() || waitingForLock() > 0);
            event.run();
            other.commit();
            return deletion;
        }
    }

    private long waitingForLock() {
        return database.number("SELECT count(*)" + WAITING_FOR_LOCK);
    }

    @Test
    void noneOfSeveralDeletionsAtOnceReturnsBeforeAllIsGone() {
        insert(400);

        List<Long> left = Together.times(4, () -> {
            deleteAll();
            return addresses() + mails();
        });

        assertThat(left).containsOnly(0L);
    }

    @ParameterizedTest
    @CsvSource({"21, 3", "20, 2", "14, 2", "13, 1", "7, 1", "6, 1", "1, 1"})
    void batchIsBoundedByItsOctetsOfMailButTakesOneAtLeast(long bytesMax, int taken) {
        insert(5);

        removal(3, bytesMax).deleteAll(account, LABEL);

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
        insert(2);

        removal(batch, bytes).deleteAll(account, null);

        assertThat(addresses() + mails()).isZero();
    }

    /** In batches of four. */
    private void deleteAll() {
        removal(4, 1_000_000).deleteAll(account, LABEL);
    }

    private AddressRemoval removal(int batch, long bytes) {
        return new AddressRemoval(
                database.database(),
                TestBean.of(ClosedAddresses.class),
                TestBean.of(Outbox.class),
                TestSettings.of(
                        AddressConfig.class,
                        "address.keys=none",
                        "address.delete-batch=" + batch,
                        "address.delete-batch-bytes=" + bytes)) {
            @Override
            List<AddressRemoval.Removed> remove(UUID accountId, List<String> ids) {
                batches.add(ids.size());
                return database.transaction(() -> super.remove(accountId, ids));
            }
        };
    }

    private static double announced() {
        return TestMetrics.sum("oneshot_closed_published_total") + TestMetrics.sum("oneshot_closed_dropped_total");
    }

    private long mailStatistics(String column) {
        return database.number("SELECT sum(" + column + ") FROM pg_stat_user_tables WHERE relname LIKE 'mail\\_%'");
    }

    /** Old addresses with mail in the partitions of three hours. */
    private void insert(int count) {
        String sql = """
                WITH inserted AS (
                    INSERT INTO address (id, account_id, mode, status, label, created_at, expires_at,
                        mail_from, mail_subject, mail_received_at, mail_size_bytes, mail_attachment_count)
                    SELECT left(md5(i::text), 24), ?, 'receive', 'received', ?,
                        now() - interval '1 hour' + i * interval '1 microsecond',
                        now() + interval '1 hour' * (1 + i %% 3), '', '', now(), 7, 0
                    FROM generate_series(1, %d) AS i
                    RETURNING id, expires_at)
                INSERT INTO mail (address_id, expires_at, piece, content)
                SELECT id, expires_at, 0, 'To: you' FROM inserted""".formatted(count);
        database.execute(sql, account, LABEL.text());
    }

    /** An address that waits for its mail. */
    private void insertWaiting(String id) {
        database.execute(
                "INSERT INTO address (id, account_id, mode, status, label, created_at, expires_at)"
                        + " VALUES (?, ?, 'receive', 'waiting', ?, now(), now() + interval '1 hour')",
                id,
                account,
                LABEL.text());
    }

    private long addresses() {
        return database.number("SELECT count(*) FROM address");
    }

    private long mails() {
        return database.number("SELECT count(*) FROM mail");
    }

    /** Addresses without their mail, and mails without their address. */
    private long halfDeleted() {
        return database.number("SELECT count(*) FROM address FULL JOIN mail ON mail.address_id = address.id"
                + " WHERE (address.status IS NOT DISTINCT FROM 'received') <> (mail.address_id IS NOT NULL)");
    }
}
