package dev.oneshot.local.bench.expiry;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Load.Running;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.system.Statements;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Deletes the same mail in three ways: with the packaged sweep, with a bare DELETE, and with its partition. At the same time,
 * other connections read and write live mail.
 */
public final class ExpiryBenchmark {

    // A mail of 10 KB, compressed.
    private static final int CONTENT_BYTES = 5 * 1024;
    // Row and write-ahead log, with a reserve.
    private static final long DISK_BYTES_PER_ROW = 30_000;
    private static final int LIVE = 5000;
    private static final double READS_PER_SECOND = 200;
    private static final double INSERTS_PER_SECOND = 100;
    private static final int DELETE_BATCH = 500;
    private static final Duration SWEPT_POLL = Duration.ofMillis(20);
    private static final Duration SWEPT_TIMEOUT = Duration.ofHours(6);
    private static final double MEBIBYTE = 1024 * 1024;

    private static final String CREATE_ACCOUNT = "INSERT INTO account (id, name, plan, api_key_sha256, created_at)"
            + " VALUES (gen_random_uuid(), 'bench', 'scale', sha256('bench'), now())";
    private static final String CREATE_PARTITIONS =
            "SELECT create_mail_partitions(now() - interval '1 hour', now() + interval '26 hours')";

    /** The id of mail i of a set. Ids are in random order, like those that the service issues. */
    private static final String ID = "rpad(?, 24, md5(i::text))";
    /** When mail i of a set expires: an interval after the start of this hour. */
    private static final String EXPIRY =
            "date_trunc('hour', now(), 'UTC') + (?)::interval + interval '1 microsecond' * i";

    private static final String INSERT = "INSERT INTO mail (address_id, expires_at, piece, content) SELECT " + ID + ", "
            + EXPIRY + ", 0, ? FROM generate_series(?, ?) AS i";
    private static final String SELECT =
            "SELECT content FROM mail, (VALUES (?)) AS n (i) WHERE address_id = " + ID + " AND expires_at = " + EXPIRY;
    private static final String DELETE = "DELETE FROM mail WHERE address_id = ANY (ARRAY(SELECT " + ID
            + " FROM generate_series(?, ?) AS i)) AND expires_at BETWEEN date_trunc('hour', now(), 'UTC') AND now()";
    private static final String INSERT_ADDRESSES = """
            INSERT INTO address (id, account_id, mode, status, created_at, expires_at,
                mail_from, mail_subject, mail_received_at, mail_size_bytes, mail_attachment_count)
            SELECT address_id, (SELECT id FROM account), 'receive', 'received', now() - interval '1 hour', expires_at,
                'a@sender.example', 'Figures', now(), 10240, 1 FROM mail WHERE starts_with(address_id, ?)""";
    private static final String ANY_DUE =
            "SELECT count(*) FROM (SELECT FROM address WHERE status <> 'expired' AND expires_at <= now() LIMIT 1)";
    private static final String DROP_PARTITION =
            "SELECT count(drop_expired_mail_partition(interval '0', interval '1 second'))";
    /** With indexes; 0 after it is dropped. */
    private static final String LAST_HOUR_BYTES =
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c WHERE relkind = 'r' AND relname = 'mail_'"
                    + " || to_char((now() - interval '1 hour') AT TIME ZONE 'UTC', 'YYYYMMDDHH24')";

    private final Bench bench;
    private final LocalStack stack;
    private final Connection connection;
    private final byte[] content = Bench.randomBytes(CONTENT_BYTES);
    private final Load<?> reader;
    private final Load<?> writer;
    private final Table speeds = new Table("Deleting mails of 10 KB", "how | mails | seconds | mails/s");
    private final Table others = new Table(
            "Other accounts at the same time, at fixed rates",
            "while | reads | read p50/p99 ms | inserts | insert p50/p99 ms");

    private ExpiryBenchmark(Bench bench, LocalStack stack, Connection connection) {
        this.bench = bench;
        this.stack = stack;
        this.connection = connection;
        this.reader = Statements.load(1, stack.database(), SELECT, () -> {
            int number = ThreadLocalRandom.current().nextInt(LIVE);
            return new Object[] {number, "live", "2 hours"};
        });
        AtomicInteger next = new AtomicInteger(LIVE);
        this.writer = Statements.load(1, stack.database(), INSERT, () -> {
            int number = next.getAndIncrement();
            return new Object[] {"live", "2 hours", content, number, number};
        });
    }

    /** Runs the benchmark on its own stack. */
    public static void run(Bench bench) throws Exception {
        // The service must not drop the partitions of the benchmark.
        try (LocalStack stack = bench.stack(Map.of("ONESHOT_EXPIRY_PARTITION_DROP_DELAY", "24h"))) {
            for (Service service : List.of(Service.EXPIRY, Service.INGEST, Service.MAILER)) {
                stack.kill(service);
            }
            try (Connection connection = stack.database().connect()) {
                new ExpiryBenchmark(bench, stack, connection).measure();
            }
        }
    }

    private void measure() throws Exception {
        int count = affordable(bench.rows());
        int half = count / 2;
        Statements.execute(connection, CREATE_ACCOUNT);
        Statements.execute(connection, CREATE_PARTITIONS);
        load("live", LIVE, "2 hours");
        observe("nothing", () -> Thread.sleep(bench.sustained()));

        load("bare", half, "0 minutes");
        double bare = observe("bare DELETE by index", () -> deleteByIndex("bare", half));
        speeds.row("bare DELETE by index, batches of 500", half, bare, half / bare);

        // The service runs before the commit, so that it sees all mail at once.
        stack.start(Service.EXPIRY);
        stack.awaitReady(Service.EXPIRY);
        connection.setAutoCommit(false);
        load("swept", half, "0 minutes");
        Statements.execute(connection, INSERT_ADDRESSES, "swept");
        double swept = observe("sweep", () -> {
            connection.commit();
            connection.setAutoCommit(true);
            Statements.awaitAtMost(0, connection, ANY_DUE, SWEPT_POLL, SWEPT_TIMEOUT);
        });
        speeds.row("sweep of expiry-service", half, swept, half / swept);
        stack.kill(Service.EXPIRY);

        load("drop", count, "-30 minutes");
        long bytes = Statements.number(connection, LAST_HOUR_BYTES);
        double dropped = observe("drop of a partition", () -> {
            // As the service does, for the last hour.
            if (Statements.number(connection, DROP_PARTITION) == 0) {
                throw new IllegalStateException("there was no partition to drop");
            }
        });
        speeds.row("drop of their partition, until its files are removed", count, dropped, count / dropped);
        long left = Statements.number(connection, LAST_HOUR_BYTES);
        bench.add(speeds.note("%.0f MiB of the partition freed; %.0f MiB of it left"
                        .formatted(bytes / MEBIBYTE, left / MEBIBYTE))
                .note("Sweep to bare DELETE: %.2f (aim 0.25). Aim of the drop: a million in under a second."
                        .formatted(bare / swept)));
        bench.add(others.note("Aim: the readers' p99 less than doubled."));
    }

    private int affordable(int wanted) throws IOException {
        long free = Files.getFileStore(bench.project()).getUsableSpace();
        int count = (int) Math.min(wanted, free / 2 / DISK_BYTES_PER_ROW);
        if (count < wanted) {
            bench.say("only %,d mails, because the disk has %,.0f MiB left".formatted(count, free / MEBIBYTE));
        }
        return count;
    }

    /** Inserts mail that expires this long after the start of the hour. */
    private void load(String set, int count, String expiry) throws SQLException {
        bench.say("loading %,d mails".formatted(count));
        Statements.execute(connection, INSERT, set, expiry, content, 0, count - 1);
    }

    /** One transaction for each batch. */
    private void deleteByIndex(String set, int count) throws SQLException {
        Statements.execute(connection, "SET enable_seqscan = off");
        for (int first = 0; first < count; first += DELETE_BATCH) {
            int last = Math.min(first + DELETE_BATCH, count) - 1;
            if (Statements.execute(connection, DELETE, set, first, last) != last - first + 1) {
                throw new IllegalStateException("mail to delete is missing: the hour ended during the benchmark");
            }
        }
    }

    @FunctionalInterface
    private interface Action {
        void run() throws Exception;
    }

    /** Returns the seconds that an action takes, during which others read and write. */
    private double observe(String what, Action action) throws Exception {
        // Writes the loaded rows to disk before the measurement.
        Statements.execute(connection, "CHECKPOINT");
        bench.say(what);
        Running reads = reader.start(READS_PER_SECOND);
        Running inserts = writer.start(INSERTS_PER_SECOND);
        long begin = System.nanoTime();
        action.run();
        double seconds = (System.nanoTime() - begin) / 1e9;
        Outcome read = reads.stop();
        Outcome inserted = inserts.stop();
        others.row(what, read.done(), read.latency(), inserted.done(), inserted.latency());
        return seconds;
    }
}
