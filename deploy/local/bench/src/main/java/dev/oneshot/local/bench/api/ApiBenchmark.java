package dev.oneshot.local.bench.api;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.api.ApiClient.Created;
import dev.oneshot.local.bench.system.Ceilings;
import dev.oneshot.local.bench.system.Database;
import dev.oneshot.local.bench.system.MeasuredProcess;
import dev.oneshot.local.bench.system.MeasuredProcess.Measurement;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.Service;
import java.sql.ResultSet;
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
    private final LocalStack stack;
    private final Table peaks =
            new Table("The API at full speed", "what | per second | p50/p99 ms | cpu us | heap bytes");
    private final Table halves = new Table("The API at half of that rate", "what | per second | p50/p99 ms");

    private ApiBenchmark(Bench bench, LocalStack stack) {
        this.bench = bench;
        this.stack = stack;
    }

    /** Runs the benchmark on its own stack. */
    public static void run(Bench bench) throws Exception {
        try (LocalStack stack = bench.stack(ApiClient.NO_LIMITS)) {
            new ApiBenchmark(bench, stack).measure();
        }
    }

    /** A kind of request, the process that serves it, and its load. */
    private record Operation(String name, MeasuredProcess process, Load<?> load) {}

    private void measure() throws Exception {
        ApiClient api = new ApiClient(stack);
        List<Created> addresses = api.addresses(POLLED);
        Operation create = operation("POST /addresses", 201, api.fromEach("POST", "/v1/addresses", "{}"));
        Operation poll = operation(
                "GET /addresses/{id}",
                200,
                addresses.stream().map(Created::read).toList());
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
        try (Ceilings ceilings = Ceilings.of(stack)) {
            List<byte[]> requests = List.of(HttpConnection.request("GET", "/empty", "none", ""));
            Operation nothing = new Operation(
                    "GET /empty",
                    ceilings.process(),
                    HttpLoad.of(bench.usualConnections(), ceilings.httpPort(), 200, requests));
            warmUp(nothing);
            empty = peak(nothing);
        }
        double selects = selects(addresses);
        double inserts = inserts(api.accountIds());
        bench.add(peaks.note("%d connections; cpu us and heap bytes: of the server's process, for each request."
                .formatted(bench.usualConnections())));
        bench.add(halves.note("Aim: p99 below 20 ms. A latency starts when the request is due."));
        double series = 1 / (1 / empty + 1 / selects);
        bench.add(new Table("The API compared with its ceilings", "what | reached | ceiling | share | aim")
                .row("polls/s", polls, series, polls / series, 0.5)
                .row("creates/s", creates, inserts, creates / inserts, 0.35)
                .note("Ceiling of polls: the empty endpoint and the SELECT in series; of creates: the bare INSERT."));
    }

    private Operation operation(String name, int expected, List<byte[]> requests) {
        Load<?> load = HttpLoad.of(bench.usualConnections(), stack.port(Port.HTTP), expected, requests);
        return new Operation(name, MeasuredProcess.of(stack, Service.API), load);
    }

    private void warmUp(Operation operation) throws Exception {
        bench.say("warming up " + operation.name());
        MeasuredProcess.warmUp(
                List.of(operation.process()), () -> operation.load().peak(MeasuredProcess.TURN));
    }

    private double peak(Operation operation) throws Exception {
        bench.say(operation.name());
        Measurement peak = operation.process().measure(() -> operation.load().peak(bench.time()));
        peaks.row(
                operation.name(), peak.perSecond(), peak.outcome().latency(), peak.processorMicros(), peak.heapBytes());
        return peak.perSecond();
    }

    private void half(Operation operation, double peak) throws Exception {
        Outcome outcome = operation.load().atRate(peak / 2, bench.sustained());
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
        Load<?> load = Database.load(bench.usualConnections(), stack.database(), sql, step);
        load.peak(bench.warmUp());
        Outcome outcome = load.peak(bench.time());
        peaks.row(name, outcome.perSecond(), outcome.latency(), "", "");
        return outcome.perSecond();
    }
}
