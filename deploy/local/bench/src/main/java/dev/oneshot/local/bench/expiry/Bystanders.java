package dev.oneshot.local.bench.expiry;

import dev.oneshot.local.bench.Latency;
import dev.oneshot.local.bench.system.BenchStack;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Those who must not notice: a reader of live mail and a writer of new mail, each at a fixed rate. */
final class Bystanders {

    private static final int LIVE = 5000;
    private static final long READ_EVERY_NANOS = 5_000_000;
    private static final long INSERT_EVERY_NANOS = 10_000_000;
    private static final String INSERT = "INSERT INTO mail (address_id, expires_at, structure, raw)"
            + " VALUES (?, date_trunc('hour', now(), 'UTC') + interval '2 hours', ?, ?)";
    private static final String READ = "SELECT raw FROM mail WHERE address_id = ?"
            + " AND expires_at = date_trunc('hour', now(), 'UTC') + interval '2 hours'";

    private final BenchStack stack;
    private final MailRows rows;
    private final AtomicLong inserted = new AtomicLong();

    Bystanders(BenchStack stack, MailRows rows) {
        this.stack = stack;
        this.rows = rows;
    }

    /** Stores what is going to be read. */
    void prepare() throws SQLException {
        try (Connection connection = stack.connect();
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (int i = 0; i < LIVE; i++) {
                insert(insert);
            }
        }
    }

    /** Starts both. */
    Watch watch() {
        return new Watch();
    }

    private boolean insert(PreparedStatement statement) throws SQLException {
        statement.setString(1, id(inserted.getAndIncrement()));
        statement.setBytes(2, rows.structure());
        statement.setBytes(3, rows.content());
        return statement.executeUpdate() == 1;
    }

    private static boolean read(PreparedStatement statement) throws SQLException {
        statement.setString(1, id(ThreadLocalRandom.current().nextLong(LIVE)));
        try (ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBytes(1).length == MailRows.CONTENT_OCTETS;
        }
    }

    private static String id(long number) {
        return "live%020d".formatted(number);
    }

    @FunctionalInterface
    private interface Step {
        boolean on(PreparedStatement statement) throws SQLException;
    }

    /** Both at work. */
    final class Watch {

        private final Latency reads = new Latency();
        private final Latency inserts = new Latency();
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final Future<?> reader = threads.submit(repeat(READ, READ_EVERY_NANOS, Bystanders::read, reads));
        private final Future<?> writer =
                threads.submit(repeat(INSERT, INSERT_EVERY_NANOS, Bystanders.this::insert, inserts));

        Latency reads() {
            return reads;
        }

        Latency inserts() {
            return inserts;
        }

        /** Ends both, and tells if one of them failed. */
        void stop() throws Exception {
            stopped.set(true);
            reader.get();
            writer.get();
            threads.close();
        }

        private Callable<Void> repeat(String sql, long everyNanos, Step step, Latency latency) {
            return () -> {
                try (Connection connection = stack.connect();
                        PreparedStatement statement = connection.prepareStatement(sql)) {
                    long begin = System.nanoTime();
                    for (long i = 0; !stopped.get(); i++) {
                        long due = begin + i * everyNanos;
                        LockSupport.parkNanos(due - System.nanoTime());
                        if (!step.on(statement)) {
                            throw new IllegalStateException("a mail was not there");
                        }
                        latency.record(System.nanoTime() - due);
                    }
                }
                return null;
            };
        }
    }
}
