package dev.oneshot.local.bench.expiry;

import dev.oneshot.local.bench.system.BenchStack;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** Rows of mail that have expired, made inside of the database, and the ways in which they go. */
final class MailRows {

    static final int CONTENT_OCTETS = 10 * 1024;
    private static final int STRUCTURE_OCTETS = 600;
    private static final int LOAD_BATCH = 5000;
    private static final int DELETE_BATCH = 500;
    private static final long SEED = 42;
    private static final Duration CHECK_EVERY = Duration.ofMillis(20);
    private static final Duration LOOK_EVERY = Duration.ofMillis(1);
    private static final String LAST_HOUR = "SELECT %s FROM pg_class c WHERE relkind = 'r' AND relname = 'mail_'"
            + " || to_char((now() - interval '1 hour') AT TIME ZONE 'UTC', 'YYYYMMDDHH24')";
    private static final String ANY_DUE = "SELECT count(*) FROM (SELECT FROM address WHERE status <> 'expired'"
            + " AND expires_at <= now() LIMIT 1) AS due";

    /** Ids in no order, as those that are issued; the prefix keeps the sets apart. */
    private static final String ID = "? || substr(md5(i::text), 1, 23)";

    private static final String ADDRESSES = """
            INSERT INTO address (id, account_id, mode, status, created_at, expires_at,
                mail_from, mail_subject, mail_received_at, mail_size_bytes, mail_attachment_count)
            SELECT %s, (SELECT id FROM account LIMIT 1), 'receive', 'received', now() - interval '1 hour',
                date_trunc('hour', now(), 'UTC') + interval '1 microsecond' * i, 'a@sender.example', 'Figures', now(), 10240, 1
            FROM generate_series(?, ?) AS i""".formatted(ID);
    private static final String MAILS = """
            INSERT INTO mail (address_id, expires_at, structure, raw)
            SELECT %s, date_trunc('hour', now(), 'UTC') + (?)::interval + interval '1 microsecond' * i, ?, ?
            FROM generate_series(?, ?) AS i""".formatted(ID);

    private final BenchStack stack;
    private final byte[] structure = random(STRUCTURE_OCTETS);
    private final byte[] content = random(CONTENT_OCTETS);
    private String prefix = "a";

    MailRows(BenchStack stack) {
        this.stack = stack;
    }

    /** Creates an account and the partition of the last hour. */
    void prepare() throws SQLException {
        try (Connection connection = stack.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO account (id, name, plan, api_key_sha256, created_at)"
                    + " VALUES (gen_random_uuid(), 'bench', 'scale', sha256('bench'), now())");
            statement.execute("SELECT create_mail_partitions(now() - interval '1 hour', now() + interval '26 hours')");
        }
    }

    byte[] structure() {
        return structure.clone();
    }

    byte[] content() {
        return content.clone();
    }

    /** Loads mails that have expired in the present hour, or in the last one, without rows of addresses. */
    void load(int count, boolean lastHour) throws SQLException {
        try (Connection connection = stack.connect()) {
            insert(connection, count, false, lastHour);
            // So that nothing of the loading is left to do while something else is measured.
            execute(connection, "CHECKPOINT");
        }
    }

    /** Loads expired addresses with their mails, which nobody sees, and so nobody sweeps, before the commit. */
    Connection loadUnseen(int count) throws SQLException {
        Connection connection = stack.connect();
        connection.setAutoCommit(false);
        insert(connection, count, true, false);
        try (Connection other = stack.connect()) {
            execute(other, "CHECKPOINT");
        }
        return connection;
    }

    private void insert(Connection connection, int count, boolean withAddresses, boolean lastHour) throws SQLException {
        prefix = Character.toString(prefix.charAt(0) + 1);
        for (int first = 0; first < count; first += LOAD_BATCH) {
            int last = Math.min(first + LOAD_BATCH, count) - 1;
            if (withAddresses) {
                insertAddresses(connection, first, last);
            }
            insertMails(connection, first, last, lastHour ? "-30 minutes" : "0 minutes");
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Deletes the mails loaded last by their keys, batch by batch, each a transaction. */
    void deleteByIndex(int count) throws SQLException {
        try (Connection connection = stack.connect();
                Statement settings = connection.createStatement();
                PreparedStatement delete = connection.prepareStatement("DELETE FROM mail WHERE address_id = ANY (?)"
                        + " AND expires_at >= date_trunc('hour', now(), 'UTC') AND expires_at <= now()")) {
            settings.execute("SET enable_seqscan = off");
            List<String> ids = ids(connection, count);
            for (int first = 0; first < count; first += DELETE_BATCH) {
                List<String> batch = ids.subList(first, Math.min(first + DELETE_BATCH, count));
                Array array = connection.createArrayOf("text", batch.toArray());
                delete.setArray(1, array);
                if (delete.executeUpdate() != batch.size()) {
                    throw new IllegalStateException("mails to delete were not there: the hour ended meanwhile");
                }
            }
        }
    }

    /** Waits until the sweep has left no expired address. */
    void awaitSwept() throws SQLException {
        try (Connection connection = stack.connect()) {
            while (one(connection, ANY_DUE) > 0) {
                LockSupport.parkNanos(CHECK_EVERY.toNanos());
            }
        }
    }

    /** Drops the partition of the last hour as the service does. */
    void dropLastHour() throws SQLException {
        try (Connection connection = stack.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT drop_expired_mail_partition(interval '0', interval '1 second')")) {
            if (!row.next() || row.getString(1) == null) {
                throw new IllegalStateException("there was no partition to drop");
            }
        }
    }

    /** Waits until the partition of the last hour is there for nobody, though its files may still be. */
    void awaitLastHourGone() throws SQLException {
        try (Connection connection = stack.connect()) {
            while (one(connection, LAST_HOUR.formatted("count(*)")) > 0) {
                LockSupport.parkNanos(LOOK_EVERY.toNanos());
            }
        }
    }

    /** The size of the last hour's partition with its indexes and TOAST; 0 once it is gone. */
    long lastHourBytes() throws SQLException {
        try (Connection connection = stack.connect()) {
            return one(connection, LAST_HOUR.formatted("coalesce(sum(pg_total_relation_size(c.oid)), 0)"));
        }
    }

    private void insertAddresses(Connection connection, int first, int last) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(ADDRESSES)) {
            insert.setString(1, prefix);
            insert.setInt(2, first);
            insert.setInt(3, last);
            insert.executeUpdate();
        }
    }

    private void insertMails(Connection connection, int first, int last, String shift) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(MAILS)) {
            insert.setString(1, prefix);
            insert.setString(2, shift);
            insert.setBytes(3, structure);
            insert.setBytes(4, content);
            insert.setInt(5, first);
            insert.setInt(6, last);
            insert.executeUpdate();
        }
    }

    private List<String> ids(Connection connection, int count) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT " + ID + " FROM generate_series(0, ?) AS i")) {
            query.setString(1, prefix);
            query.setInt(2, count - 1);
            List<String> ids = new ArrayList<>(count);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getString(1));
                }
            }
            return ids;
        }
    }

    private static long one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static byte[] random(int octets) {
        byte[] bytes = new byte[octets];
        new Random(SEED).nextBytes(bytes);
        return bytes;
    }
}
