package dev.oneshot.local.bench.api;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Settings;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.api.ApiClient.Created;
import dev.oneshot.local.bench.system.BenchStack;
import dev.oneshot.local.bench.system.Ceilings;
import dev.oneshot.local.bench.system.Database;
import dev.oneshot.local.bench.system.MeasuredProcess;
import dev.oneshot.local.stack.Service;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates, polls and list pages over many accounts, compared with the bare database and an empty endpoint. */
public final class ApiBenchmark {

    private static final int POLLED = 5000;
    private static final String SELECT = "SELECT id, mode, status, created_at, expires_at, label, mail_from,"
            + " mail_subject, mail_received_at, mail_size_bytes, mail_attachment_count FROM address WHERE id = ?";
    private static final String INSERT = """
            INSERT INTO address (id, account_id, mode, status, created_at, expires_at)
            VALUES (?, (?)::uuid, 'receive', 'waiting', now(), now() + interval '1 hour')""";

    private final Bench bench;
    private final BenchStack stack;
    private final Settings settings;
    private final Table peaks =
            new Table("The API at full speed", "what | per second | p50/p99 ms | cpu us | heap bytes");
    private final Table halves = new Table("The API at half of that rate", "what | per second | p50/p99 ms");

    private ApiBenchmark(Bench bench, BenchStack stack) {
        this.bench = bench;
        this.stack = stack;
        this.settings = bench.settings();
    }

    /** Runs the benchmark on its own stack. */
    public static void run(Bench bench) throws Exception {
        try (BenchStack stack = BenchStack.start(bench, ApiClient.NO_LIMITS)) {
            new ApiBenchmark(bench, stack).measure();
        }
    }

    /** A kind of request, the process that serves it, and its load. */
    private record Operation(String name, MeasuredProcess process, Load load) {}

    private void measure() throws Exception {
        ApiClient api = new ApiClient(stack);
        List<Created> addresses = api.addresses(POLLED);
        Operation create = operation("POST /addresses", 201, api.fromEach("POST", "/v1/addresses", "{}"));
        Operation poll = operation(
                "GET /addresses/{id}",
                200,
                addresses.stream()
                        .map(address ->
                                HttpConnection.request("GET", "/v1/addresses/" + address.id(), address.key(), ""))
                        .toList());
        Operation list = operation("GET /addresses", 200, api.fromEach("GET", "/v1/addresses", ""));
        for (Operation operation : List.of(create, poll, list)) {
            warmUp(operation);
        }
        double creates = peak(create);
        double polls = peak(poll);
        peak(list);
        half(create, creates);
        half(poll, polls);
        double empty;
        try (Ceilings ceilings = stack.ceilings()) {
            List<byte[]> requests = List.of(HttpConnection.request("GET", "/empty", "none", ""));
            Operation nothing = new Operation(
                    "GET /empty",
                    ceilings.process(),
                    HttpLoad.of(settings.usualConnections(), ceilings.httpPort(), 200, requests));
            warmUp(nothing);
            empty = peak(nothing);
        }
        double selects = selects(addresses);
        double inserts = inserts(api.accountIds());
        bench.add(peaks.note("%d connections; cpu us and heap bytes: of the server's process, for each request."
                .formatted(settings.usualConnections())));
        bench.add(halves.note("Aim: p99 below 20 ms. A latency starts when the request is due."));
        double series = 1 / (1 / empty + 1 / selects);
        bench.add(new Table("The API compared with its ceilings", "what | reached | ceiling | share | aim")
                .row("polls/s", polls, series, polls / series, 0.5)
                .row("creates/s", creates, inserts, creates / inserts, 0.35)
                .note("Ceiling of polls: the empty endpoint and the SELECT in series; of creates: the bare INSERT."));
    }

    private Operation operation(String name, int expected, List<byte[]> requests) {
        Load load = HttpLoad.of(settings.usualConnections(), stack.httpPort(), expected, requests);
        return new Operation(name, stack.process(Service.API), load);
    }

    private void warmUp(Operation operation) throws Exception {
        bench.say("warming up " + operation.name());
        MeasuredProcess.warmUp(
                List.of(operation.process()), () -> operation.load().peak(Duration.ZERO, MeasuredProcess.TURN));
    }

    private double peak(Operation operation) throws Exception {
        bench.say(operation.name());
        MeasuredProcess.Usage usage = operation.process().usage();
        Outcome outcome = operation.load().peak(Duration.ZERO, settings.time());
        double micros = usage.processorMicros(outcome.done());
        peaks.row(operation.name(), outcome.perSecond(), outcome.latency(), micros, usage.heapBytes(outcome.done()));
        return outcome.perSecond();
    }

    private void half(Operation operation, double peak) throws Exception {
        Outcome outcome = operation.load().atRate(Math.max(peak / 2, 1), settings.warmUp(), settings.sustained());
        halves.row(operation.name(), outcome.perSecond(), outcome.latency());
    }

    private double selects(List<Created> addresses) throws Exception {
        AtomicInteger next = new AtomicInteger();
        return ceiling("bare SELECT by primary key", SELECT, statement -> {
            Created address = addresses.get(Math.floorMod(next.getAndIncrement(), addresses.size()));
            statement.setString(1, address.id());
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        });
    }

    private double inserts(List<String> accountIds) throws Exception {
        AtomicInteger next = new AtomicInteger();
        return ceiling("bare INSERT of one row", INSERT, statement -> {
            // In random order, like the ids that the service issues.
            int number = next.getAndIncrement();
            long shuffled = ThreadLocalRandom.current().nextLong(1_000_000_000L) * 1_000_000_000L + number;
            statement.setString(1, String.format(Locale.ROOT, "bench%019d", shuffled));
            statement.setString(2, accountIds.get(number % accountIds.size()));
            return statement.executeUpdate() == 1;
        });
    }

    private double ceiling(String name, String sql, Database.Step step) throws Exception {
        Outcome outcome = Load.of(settings.usualConnections(), () -> Database.worker(stack, sql, step))
                .peak(Duration.ofSeconds(1), settings.time());
        peaks.row(name, outcome.perSecond(), outcome.latency(), "", "");
        return outcome.perSecond();
    }
}
