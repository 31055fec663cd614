package dev.oneshot.expiry.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.expiry.database.TestDatabase;
import dev.oneshot.testing.Together;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MailPartitionsTest {

    private static final String PARTITIONS =
            "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relname ~ '^mail_[0-9]{10}$'";
    private static final Duration NO_DELAY = Duration.ZERO;
    private static final Duration LOCK_TIMEOUT = Duration.ofMillis(100);

    private final TestDatabase database = TestDatabase.create();
    private final MailPartitions partitions = new MailPartitions(database.asService());

    @Test
    void partitionsAreCreatedAheadAndOnlyOnce() throws SQLException {
        long before = database.number(PARTITIONS);

        int created = partitions.createAhead(Duration.ofDays(2));

        assertThat(created).isPositive();
        assertThat(database.number(PARTITIONS)).isEqualTo(before + created);
        assertThat(partitions.createAhead(Duration.ofDays(2))).isLessThanOrEqualTo(1);
        // A mail that expires in 48 hours has a partition.
        database.insertAddresses("late", 1, "47 hours 59 minutes", true);
    }

    @Test
    void twoReplicasCreateEachPartitionOnce() throws Exception {
        long before = database.number(PARTITIONS);

        int created = together(() -> partitions.createAhead(Duration.ofDays(10)));

        assertThat(database.number(PARTITIONS)).isEqualTo(before + created);
    }

    @Test
    void anHourThatIsOverIsDroppedWithItsMailAndNothingElseIs() throws SQLException {
        database.insertAddresses("over", 10, "-2 hours", true);
        database.insertAddresses("live", 10, "1 minute", true);
        long before = database.number(PARTITIONS);

        assertThat(partitions.countExpired(NO_DELAY)).isEqualTo(1);
        Optional<String> dropped = partitions.dropOldest(NO_DELAY, LOCK_TIMEOUT);

        assertThat(dropped).isPresent();
        assertThat(partitions.dropOldest(NO_DELAY, LOCK_TIMEOUT)).isEmpty();
        assertThat(partitions.countExpired(NO_DELAY)).isZero();
        assertThat(database.number(PARTITIONS)).isEqualTo(before - 1);
        assertThat(database.number("SELECT count(*) FROM mail")).isEqualTo(10);
        assertThat(database.number("SELECT count(*) FROM address"))
                .as("the listed rows stay")
                .isEqualTo(20);
    }

    @Test
    void anHourIsKeptForTheDelay() throws SQLException {
        database.insertAddresses("over", 1, "-3 hours", true);

        assertThat(partitions.dropOldest(Duration.ofHours(3), LOCK_TIMEOUT)).isEmpty();
        assertThat(partitions.dropOldest(Duration.ofHours(2), LOCK_TIMEOUT)).isPresent();
    }

    @Test
    void severalHoursGoOldestFirst() throws SQLException {
        database.insertAddresses("b", 1, "-3 hours", true);
        database.insertAddresses("a", 1, "-5 hours", true);
        database.insertAddresses("c", 1, "-4 hours", true);

        List<String> dropped = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            dropped.add(partitions.dropOldest(NO_DELAY, LOCK_TIMEOUT).orElseThrow());
        }

        assertThat(dropped).isSorted();
        assertThat(database.number("SELECT count(*) FROM mail")).isZero();
    }

    @Test
    void aDropDoesNotWaitForALongReaderAndSucceedsAfterIt() throws SQLException {
        database.insertAddresses("over", 1, "-2 hours", true);
        try (Connection _ = database.begin("SELECT count(*) FROM mail")) {
            assertThatThrownBy(() -> partitions.dropOldest(NO_DELAY, LOCK_TIMEOUT))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55P03"));
            assertThat(database.number("SELECT count(*) FROM mail"))
                    .as("others are not held up, and nothing is half dropped")
                    .isEqualTo(1);
        }

        assertThat(partitions.dropOldest(NO_DELAY, LOCK_TIMEOUT)).isPresent();
    }

    @Test
    void noLockTimeoutIsNotTakenForAnEndlessOne() throws SQLException {
        database.insertAddresses("over", 1, "-2 hours", true);
        try (Connection _ = database.begin("SELECT count(*) FROM mail")) {
            assertThatThrownBy(() -> partitions.dropOldest(NO_DELAY, Duration.ZERO))
                    .hasMessageContaining("lock timeout");
        }
    }

    @Test
    void whileADropWaitsForAVacuumNoOtherSessionWaits() throws Exception {
        database.insertAddresses("over", 1, "-2 hours", true);
        database.insertAddresses("live", 1, "1 minute", false);
        String partition = database.text("SELECT expired_mail_partitions('0') LIMIT 1");
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
                Connection vacuum = database.begin("LOCK TABLE " + partition + " IN SHARE UPDATE EXCLUSIVE MODE")) {
            Future<Optional<String>> drop = executor.submit(() -> partitions.dropOldest(NO_DELAY, LOCK_TIMEOUT));
            Awaitility.await().until(() -> database.number("SELECT count(*) FROM pg_locks WHERE NOT granted") > 0);

            database.execute("""
                SET lock_timeout = '50ms';
                SELECT * FROM mail;
                INSERT INTO mail (address_id, expires_at, piece, content)
                SELECT id, expires_at, 0, '' FROM address WHERE id LIKE 'live%'\
                """);
            vacuum.rollback();
            assertThat(drop.get()).contains(partition);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPartitionThatIsDetachedWhollyOrHalfIsDropped(boolean wholly) throws Exception {
        database.insertAddresses("over", 1, "-2 hours", true);
        String partition = partitionOf("over");
        if (wholly) {
            detach(partition);
        } else {
            halfDetach(partition);
        }

        assertThat(partitions.dropOldest(NO_DELAY, LOCK_TIMEOUT)).contains(partition);

        assertThat(database.number("SELECT count(*) FROM pg_class WHERE relname = '" + partition + "'"))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({"-2, false", "1, true", "2, true", "5, false"})
    void detachedPartitionOfAnHourAheadIsAttachedWithItsMail(int hours, boolean isAttached) throws SQLException {
        String hour = database.text("SELECT date_trunc('hour', now()) + interval '" + hours + " hours'");
        String partition = detachedWithOneMail(hour);
        assertThatThrownBy(() -> storeMail(hour)).hasStackTraceContaining("no partition");

        List<String> attached = partitions.attachDetached(Duration.ofHours(3));

        assertThat(attached).isEqualTo(isAttached ? List.of(partition) : List.of());
        if (isAttached) {
            storeMail(hour);
        }
        assertThat(database.number("SELECT count(*) FROM mail")).isEqualTo(isAttached ? 2 : 0);
        assertThat(partitions.attachDetached(Duration.ofHours(3))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "2000-01-01 12:00, 2000-01-01 13:00, ''",
        "2000-01-01 11:59:59.9, 2000-01-01 12:00, mail_2000010111",
        "2000-01-01 10:00, 2000-01-01 10:59:59.9, ''",
        "2000-01-01 10:00, 2000-01-01 11:00, mail_2000010111"
    })
    void hoursOfBothEndsAreAttached(String first, String last, String attached) throws SQLException {
        detachedWithOneMail("2000-01-01 11:30Z");

        assertThat(database.text("SELECT coalesce(string_agg(name, ''), '') FROM attach_mail_partitions('" + first
                        + "Z', '" + last + "Z') AS name"))
                .isEqualTo(attached);
    }

    @Test
    void halfDetachedPartitionOfAComingHourIsAttached() throws Exception {
        database.insertAddresses("before", 1, "1 hour", true);
        String partition = partitionOf("before");
        halfDetach(partition);

        assertThat(partitions.attachDetached(Duration.ofHours(3))).containsExactly(partition);

        assertThat(database.number("SELECT count(*) FROM pg_inherits WHERE inhdetachpending"))
                .isZero();
        assertThat(database.number("SELECT count(*) FROM mail")).isEqualTo(1);
    }

    @Test
    void whatCannotBeAttachedDoesNotKeepOthersFromBeingCreated() throws SQLException {
        database.insertAddresses("odd", 1, "1 hour", true);
        String partition = partitionOf("odd");
        detach(partition);
        database.execute("ALTER TABLE " + partition + " ADD COLUMN remark text");

        assertThatThrownBy(() -> partitions.attachDetached(Duration.ofHours(3))).hasMessageContaining("remark");

        assertThat(partitions.createAhead(Duration.ofDays(3))).isPositive();
    }

    @Test
    void twoReplicasDropEachPartitionOnce() throws Exception {
        for (int hours = 2; hours <= 9; hours++) {
            database.insertAddresses("h" + hours, 1, "-" + hours + " hours", true);
        }

        assertThat(together(this::dropWhileThereAreAny)).isEqualTo(8);
    }

    /** The sum of what two replicas do at the same time. */
    private static int together(Callable<Integer> replica) {
        return Together.times(2, replica).stream().mapToInt(Integer::intValue).sum();
    }

    private String detachedWithOneMail(String expiresAt) throws SQLException {
        database.execute("SELECT create_mail_partitions('" + expiresAt + "', '" + expiresAt + "')");
        storeMail(expiresAt);
        String partition = database.text("SELECT tableoid::regclass FROM mail");
        detach(partition);
        return partition;
    }

    private void detach(String partition) {
        database.execute("ALTER TABLE mail DETACH PARTITION " + partition);
    }

    private void storeMail(String expiresAt) {
        database.execute("INSERT INTO mail (address_id, expires_at, piece, content) VALUES (gen_random_uuid()::text, '"
                + expiresAt + "', 0, '')");
    }

    private String partitionOf(String prefix) throws SQLException {
        return database.text("SELECT tableoid::regclass FROM mail WHERE address_id LIKE '" + prefix + "%'");
    }

    private int dropWhileThereAreAny() throws SQLException {
        int dropped = 0;
        while (partitions.countExpired(NO_DELAY) > 0) {
            if (partitions.dropOldest(NO_DELAY, Duration.ofSeconds(5)).isPresent()) {
                dropped++;
            }
        }
        return dropped;
    }

    /** Leaves an interrupted DETACH … CONCURRENTLY: it is cancelled while it waits for a reader. */
    private void halfDetach(String partition) throws Exception {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
                Connection _ = database.begin("SELECT count(*) FROM mail");
                Connection detacher = database.source().getConnection();
                Statement detach = detacher.createStatement()) {
            Future<Boolean> detaching = executor.submit(
                    () -> detach.execute("ALTER TABLE mail DETACH PARTITION " + partition + " CONCURRENTLY"));
            Awaitility.await()
                    .until(() -> database.number("SELECT count(*) FROM pg_inherits WHERE inhdetachpending") == 1);
            detach.cancel();
            assertThatThrownBy(detaching::get).hasMessageContaining("cancel");
        }
    }
}
