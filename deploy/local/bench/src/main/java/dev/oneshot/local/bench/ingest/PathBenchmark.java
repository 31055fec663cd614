package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.system.Ceilings;
import dev.oneshot.local.bench.system.ImageContents;
import dev.oneshot.local.bench.system.MeasuredProcess;
import dev.oneshot.local.bench.system.Statements;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The whole stack at full speed, from the connection to {@code received}: first cold, then warm, compared with a sink. */
public final class PathBenchmark {

    private static final Sample SMALL = new Sample("10 KB", () -> SampleMessage.newsletter(10 * 1024), 6400);
    private static final Sample LARGE = new Sample("100 KB", () -> SampleMessage.newsletter(100 * 1024), 2000);
    private static final Sample RANDOM = new Sample("100 KB random", () -> SampleMessage.content(100 * 1024), 2000);
    /** A measured batch is this much larger, so that its end counts little, when only the last messages are stored. */
    private static final int MEASURED = 3;

    private static final int COLD_BATCHES = 5;
    private static final List<Service> COMPARED = List.of(Service.INGEST, Service.API, Service.MAILER);
    private static final Duration WARM_UP = Duration.ofMinutes(2);
    private static final Duration BATCH_MAX = Duration.ofMinutes(5);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(10);

    private static final String CREATE_ACCOUNT = "INSERT INTO account (id, name, plan, api_key_sha256, created_at)"
            + " VALUES (gen_random_uuid(), 'bench', 'scale', sha256('bench'), now()) ON CONFLICT DO NOTHING";
    /** Inserted directly, as requests would warm the API up. */
    private static final String CREATE_ADDRESSES =
            "INSERT INTO address (id, account_id, mode, status, created_at, expires_at)"
                    + " SELECT unnest(?), (SELECT id FROM account LIMIT 1), 'receive', 'waiting', now(), now() + interval '1 hour'";

    private static final String WAITING =
            "SELECT count(*) FROM address WHERE account_id = (SELECT id FROM account LIMIT 1) AND status = 'waiting'";

    private static final String WAL_BYTES = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint";
    private static final String TABLE_BYTES = "SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint"
            + " FROM pg_inherits WHERE inhparent = 'mail'::regclass";

    private final Bench bench;
    private final LocalStack stack;
    private final Ceilings ceilings;
    private final Map<String, MeasuredProcess> processes = new LinkedHashMap<>();
    private long stored;

    /** A message, and how many of it are a batch. */
    private record Sample(String words, Supplier<byte[]> content, int batch) {}

    private PathBenchmark(Bench bench, LocalStack stack, Ceilings ceilings) {
        this.bench = bench;
        this.stack = stack;
        this.ceilings = ceilings;
    }

    /** Runs the benchmark on its own stack. */
    public static void run(Bench bench) throws Exception {
        try (ImageContents images = ImageContents.assemble(bench);
                LocalStack stack = bench.stack(Map.of());
                Ceilings ceilings = Ceilings.of(stack)) {
            PathBenchmark path = new PathBenchmark(bench, stack, ceilings);
            path.start(images);
            path.cold();
            path.warm();
        }
    }

    /** Starts the services as their images have them. */
    private void start(ImageContents images) throws IOException, InterruptedException {
        Table table = new Table("Starts with AOT cache, one after the other", "service | ready s | MiB when ready");
        for (Service service : Service.values()) {
            stack.kill(service);
            long begin = System.nanoTime();
            images.start(stack, service);
            stack.awaitReady(service);
            MeasuredProcess process = MeasuredProcess.of(stack, service);
            table.row(service.label(), (System.nanoTime() - begin) / 1e9, process.residentMib());
        }
        for (Service service : COMPARED) {
            processes.put(service.label(), MeasuredProcess.of(stack, service));
        }
        stack.backends().forEach((name, handle) -> processes.put(name, new MeasuredProcess(handle)));
        bench.add(table.note("Aim: ready in under 1 s."));
    }

    /** One batch of messages: the rate of the 250s, and the rate at which all of them became {@code received}. */
    private record Batch(Outcome accepted, double storedPerSecond) {}

    private void cold() throws Exception {
        String title = "Batches of %,d messages of 10 KB right after the start, whole stack".formatted(SMALL.batch());
        Table table = new Table(title, "batch | 250s/s | received/s");
        // Warms up the benchmark's own client.
        atFullSpeed(ceilings.smtpPort(), SMALL, SmtpMode.ONE);
        List<Double> rates = new ArrayList<>();
        for (int i = 1; i <= COLD_BATCHES; i++) {
            Batch batch = receive(SMALL, SmtpMode.ONE, SMALL.batch());
            table.row(i, batch.accepted().perSecond(), batch.storedPerSecond());
            rates.add(batch.storedPerSecond());
        }
        bench.add(table.note("First to last: %.2f.".formatted(rates.getFirst() / rates.getLast())));
    }

    private void warm() throws Exception {
        bench.say("warming up");
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < WARM_UP.toNanos()) {
            for (SmtpMode mode : SmtpMode.values()) {
                receive(SMALL, mode, SMALL.batch());
                receive(LARGE, mode, LARGE.batch());
            }
        }
        Table table = new Table(
                "Receiving at full speed, whole stack, %d connections".formatted(Bench.CONNECTIONS),
                "size | mode | 250s/s | p50/p99 ms | 452s | received/s | sink/s | received/sink");
        Table processor = new Table(
                "Processor time of each process for each message, in microseconds",
                "size | mode | " + String.join(" | ", processes.keySet()));
        Table bytes = new Table("Bytes of each message", "size | mode | WAL | tables | Kafka's log");
        int port = ceilings.sinkPort().orElse(ceilings.smtpPort());
        for (Sample sample : List.of(SMALL, LARGE, RANDOM)) {
            for (SmtpMode mode : SmtpMode.values()) {
                Written before = written();
                long messages = Math.max(
                        1, measure(sample, mode, port, table, processor).done());
                Written after = written();
                bytes.row(
                        sample.words(),
                        mode.words(),
                        (after.wal() - before.wal()) / messages,
                        (after.tables() - before.tables()) / messages,
                        (after.kafka() - before.kafka()) / messages);
            }
        }
        String sink =
                ceilings.sinkPort().isPresent() ? "Postfix's smtp-sink." : "the same server with a sink that discards.";
        bench.add(table.note("sink: " + sink));
        bench.add(processor);
        bench.add(bytes);
        long ingest = MeasuredProcess.of(stack, Service.INGEST).residentMib();
        long api = MeasuredProcess.of(stack, Service.API).residentMib();
        bench.add(new Table("Resident memory after %,d messages".formatted(stored), "ingest MiB | api MiB")
                .row(ingest, api));
    }

    /** The bytes of PostgreSQL's write-ahead log, of its tables of mail, and of Kafka's log of mail. */
    private record Written(long wal, long tables, long kafka) {}

    private Written written() throws Exception {
        Path data = stack.settings().state().resolve("kafka").resolve("data");
        try (Connection database = stack.database().connect();
                Stream<Path> files = Files.walk(data)) {
            return new Written(
                    Statements.number(database, WAL_BYTES),
                    Statements.number(database, TABLE_BYTES),
                    files.filter(file -> data.relativize(file).toString().matches("mail\\.inbound-\\d+/\\d+\\.log"))
                            .mapToLong(file -> file.toFile().length())
                            .sum());
        }
    }

    private Outcome measure(Sample sample, SmtpMode mode, int sink, Table table, Table processor) throws Exception {
        Map<String, Duration> before = new LinkedHashMap<>();
        processes.forEach((name, process) -> before.put(name, process.processorTime()));
        Batch batch = receive(sample, mode, MEASURED * sample.batch());
        List<Object> row = new ArrayList<>(List.of(sample.words(), mode.words()));
        processes.forEach((name, process) -> {
            Duration used = process.processorTime().minus(before.get(name));
            row.add(used.toNanos() / 1e3 / batch.accepted().done());
        });
        processor.row(row.toArray());
        double ceiling = atFullSpeed(sink, sample, mode);
        table.row(
                sample.words(),
                mode.words(),
                batch.accepted().perSecond(),
                batch.accepted().latency(),
                batch.accepted().refused(),
                batch.storedPerSecond(),
                ceiling,
                batch.storedPerSecond() / ceiling);
        return batch.accepted();
    }

    private double atFullSpeed(int port, Sample sample, SmtpMode mode) throws Exception {
        Supplier<String> recipients = Recipients.signed(stack.addressKey());
        return bench.peak(SmtpLoad.of(
                        Bench.CONNECTIONS, port, mode, sample.content().get(), recipients))
                .perSecond();
    }

    /** Returns when the last accepted message is {@code received}. */
    private Batch receive(Sample sample, SmtpMode mode, int messages) throws Exception {
        try (Connection database = stack.database().connect()) {
            List<String> ids = Recipients.ids(stack.addressKey(), messages);
            Statements.execute(database, CREATE_ACCOUNT);
            Statements.execute(database, CREATE_ADDRESSES, database.createArrayOf("text", ids.toArray()));
            Supplier<String> recipients = Recipients.created(ids);
            long begin = System.nanoTime();
            Outcome accepted = SmtpLoad.of(
                            Bench.CONNECTIONS,
                            stack.port(Port.SMTP),
                            mode,
                            sample.content().get(),
                            recipients)
                    .peak(BATCH_MAX, messages);
            Statements.awaitAtMost(accepted.refused(), database, WAITING, POLL_INTERVAL, BATCH_MAX);
            double seconds = (System.nanoTime() - begin) / 1e9;
            Statements.execute(database, "UPDATE address SET status = 'expired' WHERE status = 'waiting'");
            stored += accepted.done();
            bench.say("%s, %s: %,.0f/s".formatted(sample.words(), mode.words(), accepted.done() / seconds));
            return new Batch(accepted, accepted.done() / seconds);
        }
    }
}
