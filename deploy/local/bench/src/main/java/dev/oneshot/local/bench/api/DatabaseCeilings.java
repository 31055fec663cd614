package dev.oneshot.local.bench.api;

import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Settings;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.system.BenchStack;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** What PostgreSQL does through JDBC for the same rows, one statement a transaction, without any service. */
final class DatabaseCeilings {

    private static final String SELECT = "SELECT id, mode, status, created_at, expires_at, label, mail_from,"
            + " mail_subject, mail_received_at, mail_size_bytes, mail_attachment_count FROM address WHERE id = ?";
    private static final String INSERT = """
            INSERT INTO address (id, account_id, mode, status, created_at, expires_at)
            VALUES (?, (?)::uuid, 'receive', 'waiting', now(), now() + interval '1 hour')""";

    private final BenchStack stack;
    private final List<String> ids;

    DatabaseCeilings(BenchStack stack, List<String> ids) {
        this.stack = stack;
        this.ids = ids;
    }

    /** Reads rows by primary key; answers how many a second. */
    double select(int connections, Settings settings, Table table) throws Exception {
        AtomicInteger next = new AtomicInteger();
        return measure("bare SELECT by primary key", SELECT, connections, settings, table, statement -> {
            statement.setString(1, ids.get(Math.floorMod(next.getAndIncrement(), ids.size())));
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        });
    }

    /** Inserts rows of waiting addresses, over all accounts; answers how many a second. */
    double insert(int connections, Settings settings, Table table) throws Exception {
        AtomicInteger next = new AtomicInteger();
        List<String> accounts = accounts();
        return measure("bare INSERT of one row", INSERT, connections, settings, table, statement -> {
            int number = next.getAndIncrement();
            // As the ids that are issued, these come in no order.
            long shuffled = ThreadLocalRandom.current().nextLong(1_000_000_000L) * 1_000_000_000L + number;
            statement.setString(1, String.format(Locale.ROOT, "bench%019d", shuffled));
            statement.setString(2, accounts.get(number % accounts.size()));
            return statement.executeUpdate() == 1;
        });
    }

    @FunctionalInterface
    private interface Step {
        boolean on(PreparedStatement statement) throws SQLException;
    }

    private double measure(String name, String sql, int connections, Settings settings, Table table, Step step)
            throws Exception {
        Outcome outcome = Load.of(connections, _ -> new Worker(stack.connect(), sql, step))
                .peak(Duration.ofSeconds(1), settings.seconds());
        table.row(
                "what", name,
                "per second", outcome.perSecond(),
                "p50 ms", outcome.latency().percentileMillis(50),
                "p99 ms", outcome.latency().percentileMillis(99));
        return outcome.perSecond();
    }

    private List<String> accounts() throws SQLException {
        try (Connection connection = stack.connect();
                PreparedStatement statement = connection.prepareStatement("SELECT id::text FROM account");
                ResultSet rows = statement.executeQuery()) {
            List<String> accounts = new ArrayList<>();
            while (rows.next()) {
                accounts.add(rows.getString(1));
            }
            return accounts;
        }
    }

    private static final class Worker implements Load.Worker {

        private final Connection connection;
        private final PreparedStatement statement;
        private final Step step;

        Worker(Connection connection, String sql, Step step) throws SQLException {
            this.connection = connection;
            this.statement = connection.prepareStatement(sql);
            this.step = step;
        }

        @Override
        public boolean once() throws SQLException {
            return step.on(statement);
        }

        @Override
        public void close() throws IOException {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new IOException(e);
            }
        }
    }
}
