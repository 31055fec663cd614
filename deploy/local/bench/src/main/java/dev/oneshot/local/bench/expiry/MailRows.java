package dev.oneshot.local.bench.expiry;

import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.system.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Expired mail, created inside the database, the ways to delete it, and live mail that others read and write. */
final class MailRows implements AutoCloseable {

    private static final int CONTENT_BYTES = 10 * 1024;
    private static final int STRUCTURE_BYTES = 600;
    private static final int LIVE = 5000;
    private static final int LOAD_BATCH = 5000;
    private static final int DELETE_BATCH = 500;
    private static final long SEED = 42;
    private static final Duration SWEPT_POLL = Duration.ofMillis(20);
    private static final Duration SWEPT_TIMEOUT = Duration.ofHours(6);
    private static final String LIVE_SET = "live";
    private static final String LIVE_EXPIRY = "2 hours";

    /** Ids in random order, like those that the service issues; the prefix separates the sets. */
    private static final String ID = "rpad(?, 24, md5(i::text))";

    private static final String EXPIRY =
            "date_trunc('hour', now(), 'UTC') + (?)::interval + interval '1 microsecond' * i";
    private static final String NUMBERS = "generate_series(?, ?) AS i";
    private static final String ADDRESSES = """
            INSERT INTO address (id, account_id, mode, status, created_at, expires_at,
                mail_from, mail_subject, mail_received_at, mail_size_bytes, mail_attachment_count)
            SELECT %s, (SELECT id FROM account LIMIT 1), 'receive', 'received', now() - interval '1 hour',
                %s, 'a@sender.example', 'Figures', now(), 10240, 1 FROM %s""".formatted(ID, EXPIRY, NUMBERS);
    private static final String MAILS =
            "INSERT INTO mail (address_id, expires_at, structure, raw) SELECT %s, %s, ?, ? FROM %s"
                    .formatted(ID, EXPIRY, NUMBERS);
    private static final String DELETE = """
            DELETE FROM mail WHERE address_id = ANY (ARRAY(SELECT %s FROM %s))
            AND expires_at >= date_trunc('hour', now(), 'UTC') AND expires_at <= now()""".formatted(ID, NUMBERS);
    private static final String SELECT =
            "SELECT raw FROM mail, (VALUES (?)) AS n (i) WHERE address_id = %s AND expires_at = %s"
                    .formatted(ID, EXPIRY);
    private static final String ANY_DUE = "SELECT count(*) FROM (SELECT FROM address WHERE status <> 'expired'"
            + " AND expires_at <= now() LIMIT 1) AS due";
    private static final String LAST_HOUR_BYTES =
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c WHERE relkind = 'r' AND relname = 'mail_'"
                    + " || to_char((now() - interval '1 hour') AT TIME ZONE 'UTC', 'YYYYMMDDHH24')";

    private final LocalPostgres database;
    private final Connection connection;
    private final byte[] structure = random(STRUCTURE_BYTES);
    private final byte[] content = random(CONTENT_BYTES);
    private final AtomicInteger live = new AtomicInteger(LIVE);
    private char set = 'a';

    /** Creates an account, the partition of the last hour, and live mail. */
    MailRows(LocalPostgres database) throws SQLException {
        this.database = database;
        this.connection = database.connect();
        Database.execute(
                connection,
                "INSERT INTO account (id, name, plan, api_key_sha256, created_at)"
                        + " VALUES (gen_random_uuid(), 'bench', 'scale', sha256('bench'), now())");
        Database.execute(
                connection, "SELECT create_mail_partitions(now() - interval '1 hour', now() + interval '26 hours')");
        Database.execute(connection, MAILS, LIVE_SET, LIVE_EXPIRY, structure, content, 0, LIVE - 1);
    }

    /** Reads live mail. */
    Load<?> reader() {
        return Database.load(1, database, SELECT, select -> {
            Database.bind(select, ThreadLocalRandom.current().nextInt(LIVE), LIVE_SET, LIVE_EXPIRY);
            try (ResultSet row = select.executeQuery()) {
                return row.next() && row.getBytes(1).length == CONTENT_BYTES;
            }
        });
    }

    /** Inserts live mail. */
    Load<?> writer() {
        return Database.load(1, database, MAILS, insert -> {
            int number = live.getAndIncrement();
            Database.bind(insert, LIVE_SET, LIVE_EXPIRY, structure, content, number, number);
            return insert.executeUpdate() == 1;
        });
    }

    /** Loads mail that has expired in this hour, or in the last one, without addresses. */
    void load(int count, boolean lastHour) throws SQLException {
        insert(count, false, lastHour ? "-30 minutes" : "0 minutes");
    }

    /** Loads expired addresses with their mail; the sweep sees them after the commit. */
    void loadUncommitted(int count) throws SQLException {
        connection.setAutoCommit(false);
        insert(count, true, "0 minutes");
    }

    /** Commits, and waits until the sweep has left no expired address. */
    void commitAndAwaitSwept() throws SQLException {
        connection.commit();
        connection.setAutoCommit(true);
        Database.awaitAtMost(0, connection, ANY_DUE, SWEPT_POLL, SWEPT_TIMEOUT);
    }

    /** Deletes the mail loaded last by its keys, one transaction for each batch. */
    void deleteByIndex(int count) throws SQLException {
        Database.execute(connection, "SET enable_seqscan = off");
        for (int first = 0; first < count; first += DELETE_BATCH) {
            int last = Math.min(first + DELETE_BATCH, count) - 1;
            if (Database.execute(connection, DELETE, String.valueOf(set), first, last) != last - first + 1) {
                throw new IllegalStateException("mail to delete is missing: the hour ended during the benchmark");
            }
        }
    }

    /** Drops the partition of the last hour as the service does. */
    void dropLastHour() throws SQLException {
        String drop = "SELECT count(drop_expired_mail_partition(interval '0', interval '1 second'))";
        if (Database.number(connection, drop) == 0) {
            throw new IllegalStateException("there was no partition to drop");
        }
    }

    /** The size of the last hour's partition with its indexes and TOAST; 0 after it is dropped. */
    long lastHourBytes() throws SQLException {
        return Database.number(connection, LAST_HOUR_BYTES);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    /** Inserts a new set, and finishes the work of loading before something else is measured. */
    private void insert(int count, boolean withAddresses, String shift) throws SQLException {
        String prefix = String.valueOf(++set);
        for (int first = 0; first < count; first += LOAD_BATCH) {
            int last = Math.min(first + LOAD_BATCH, count) - 1;
            if (withAddresses) {
                Database.execute(connection, ADDRESSES, prefix, shift, first, last);
            }
            Database.execute(connection, MAILS, prefix, shift, structure, content, first, last);
        }
        Database.execute(connection, "CHECKPOINT");
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(SEED).nextBytes(bytes);
        return bytes;
    }
}
