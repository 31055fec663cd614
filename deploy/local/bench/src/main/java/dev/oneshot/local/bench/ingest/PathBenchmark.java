package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.system.BenchStack;
import dev.oneshot.local.bench.system.Ceilings;
import dev.oneshot.local.bench.system.Database;
import dev.oneshot.local.bench.system.ImageContents;
import dev.oneshot.local.bench.system.MeasuredProcess;
import dev.oneshot.local.stack.Health;
import dev.oneshot.local.stack.Service;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The whole stack at full speed, from the connection to {@code received}: first cold, then warm, compared with a sink. */
public final class PathBenchmark {

    private static final int SMALL = 10 * 1024;
    private static final int LARGE = 100 * 1024;
    private static final int SMALL_MESSAGES = 6400;
    private static final int LARGE_MESSAGES = 2000;
    private static final int COLD_BATCHES = 5;
    private static final List<Service> STARTED_COLD = List.of(Service.INGEST, Service.API, Service.MAILER);
    private static final Duration BATCH_MAX = Duration.ofMinutes(5);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private static final String CREATE_ACCOUNT = "INSERT INTO account (id, name, plan, api_key_sha256, created_at)"
            + " VALUES (gen_random_uuid(), 'bench', 'scale', sha256('bench'), now()) ON CONFLICT DO NOTHING";
    /** Straight into the table: requests would warm the API up. */
    private static final String CREATE_ADDRESSES =
            "INSERT INTO address (id, account_id, mode, status, created_at, expires_at)"
                    + " SELECT unnest(?), (SELECT id FROM account LIMIT 1), 'receive', 'waiting', now(), now() + interval '1 hour'";

    private static final String WAITING =
            "SELECT count(*) FROM address WHERE account_id = (SELECT id FROM account LIMIT 1) AND status = 'waiting'";

    private final Bench bench;
    private final BenchStack stack;
    private final Ceilings ceilings;
    private final int connections;
    private final Map<String, MeasuredProcess> processes = new LinkedHashMap<>();
    private long stored;

    private PathBenchmark(Bench bench, BenchStack stack, Ceilings ceilings) throws Exception {
        this.bench = bench;
        this.stack = stack;
        this.ceilings = ceilings;
        this.connections = bench.settings().usualConnections();
        for (Service service : STARTED_COLD) {
            processes.put(service.label(), stack.process(service));
        }
        processes.putAll(stack.backends());
    }

    /** Runs the benchmark on its own stack. */
    public static void run(Bench bench) throws Exception {
        try (ImageContents images = ImageContents.assemble(bench);
                BenchStack stack = BenchStack.start(bench, Map.of());
                Ceilings ceilings = stack.ceilings()) {
            for (Service service : STARTED_COLD) {
                stack.end(service);
                stack.start(service, images.command(service, stack.heap(service), ImageContents.CACHE));
                int management = stack.managementPort(service);
                Health.await(() -> Health.isReady(management), service.label());
            }
            PathBenchmark path = new PathBenchmark(bench, stack, ceilings);
            path.cold();
            path.warm();
        }
    }

    /** One batch of messages: the rate of the 250s, and the rate at which all of them became {@code received}. */
    private record Batch(Outcome accepted, double storedPerSecond) {}

    private void cold() throws Exception {
        String title = "Batches of %,d messages of 10 KB right after the start, whole stack".formatted(SMALL_MESSAGES);
        Table table = new Table(title, "batch | 250s/s | received/s");
        // So that the benchmark's own client is not what is cold.
        load(ceilings.smtpPort(), SMALL, SmtpMode.ONE)
                .peak(bench.settings().warmUp(), bench.settings().time());
        List<Double> rates = new ArrayList<>();
        for (int i = 1; i <= COLD_BATCHES; i++) {
            Batch batch = receive(SMALL, SmtpMode.ONE, SMALL_MESSAGES);
            table.row(i, batch.accepted().perSecond(), batch.storedPerSecond());
            rates.add(batch.storedPerSecond());
        }
        bench.add(table.note("First to last: %.2f.".formatted(rates.getFirst() / rates.getLast())));
    }

    private void warm() throws Exception {
        bench.say("warming up");
        MeasuredProcess.warmUp(
                Arrays.stream(Service.values()).map(stack::process).toList(), () -> {
                    for (SmtpMode mode : SmtpMode.values()) {
                        receive(SMALL, mode, SMALL_MESSAGES);
                    }
                    return null;
                });
        Table table = new Table(
                "Receiving at full speed, whole stack, %d connections".formatted(connections),
                "size | mode | 250s/s | p50/p99 ms | 452s | received/s | sink/s | received/sink");
        Table processor = new Table(
                "Processor time of each process for each message, in microseconds",
                "size | mode | " + String.join(" | ", processes.keySet()));
        int port = ceilings.sinkPort().orElse(ceilings.smtpPort());
        for (int size : List.of(SMALL, LARGE)) {
            for (SmtpMode mode : SmtpMode.values()) {
                measure(size, mode, port, table, processor);
            }
        }
        String sink =
                ceilings.sinkPort().isPresent() ? "Postfix's smtp-sink." : "the same server with a sink that discards.";
        bench.add(table.note("sink: " + sink));
        bench.add(processor);
        long ingest = stack.process(Service.INGEST).residentMib();
        long api = stack.process(Service.API).residentMib();
        bench.add(new Table("Resident memory after %,d messages".formatted(stored), "ingest MiB | api MiB")
                .row(ingest, api));
    }

    private void measure(int size, SmtpMode mode, int sink, Table table, Table processor) throws Exception {
        int messages = size == SMALL ? SMALL_MESSAGES : LARGE_MESSAGES;
        Map<String, Duration> before = new LinkedHashMap<>();
        processes.forEach((name, process) -> before.put(name, process.processorTime()));
        Batch batch = receive(size, mode, messages);
        List<Object> row = new ArrayList<>(List.of(size / 1024 + " KB", mode.words()));
        processes.forEach((name, process) -> {
            Duration used = process.processorTime().minus(before.get(name));
            row.add(used.toNanos() / 1e3 / batch.accepted().done());
        });
        processor.row(row.toArray());
        double ceiling = load(sink, size, mode)
                .peak(bench.settings().warmUp(), bench.settings().time())
                .perSecond();
        table.row(
                size / 1024 + " KB",
                mode.words(),
                batch.accepted().perSecond(),
                batch.accepted().latency(),
                batch.accepted().refused(),
                batch.storedPerSecond(),
                ceiling,
                batch.storedPerSecond() / ceiling);
    }

    private Load load(int port, int size, SmtpMode mode) {
        return SmtpLoad.of(connections, port, mode, Letter.content(size), Recipients.signed(stack.addressKey()));
    }

    /** Returns when the last accepted message is {@code received}. */
    private Batch receive(int size, SmtpMode mode, int messages) throws Exception {
        try (Connection database = stack.connect()) {
            List<String> ids = Recipients.ids(stack.addressKey(), messages);
            create(database, ids);
            Recipients recipients = Recipients.created(ids);
            long begin = System.nanoTime();
            Outcome accepted = SmtpLoad.of(connections, stack.smtpPort(), mode, Letter.content(size), recipients)
                    .peak(Duration.ZERO, BATCH_MAX, messages);
            while (Database.number(database, WAITING) > accepted.refused()) {
                if (System.nanoTime() - begin > BATCH_MAX.toNanos()) {
                    throw new IllegalStateException("a mail with a 250 was not received within " + BATCH_MAX);
                }
                Thread.sleep(POLL_INTERVAL);
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            Database.execute(database, "UPDATE address SET status = 'expired' WHERE status = 'waiting'");
            stored += accepted.done();
            bench.say("%d KB, %s: %,.0f/s".formatted(size / 1024, mode.words(), accepted.done() / seconds));
            return new Batch(accepted, accepted.done() / seconds);
        }
    }

    private static void create(Connection database, List<String> ids) throws SQLException {
        Database.execute(database, CREATE_ACCOUNT);
        try (PreparedStatement insert = database.prepareStatement(CREATE_ADDRESSES)) {
            insert.setArray(1, database.createArrayOf("text", ids.toArray()));
            insert.executeUpdate();
        }
    }
}
