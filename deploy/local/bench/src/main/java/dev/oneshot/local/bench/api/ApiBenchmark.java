package dev.oneshot.local.bench.api;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.api.ApiClient.Account;
import dev.oneshot.local.bench.api.ApiClient.Created;
import dev.oneshot.local.bench.system.Ceilings;
import dev.oneshot.local.bench.system.MeasuredProcess;
import dev.oneshot.local.bench.system.MeasuredProcess.Measurement;
import dev.oneshot.local.bench.system.Statements;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.Service;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

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

    private void measure() throws Exception {
        ApiClient api = new ApiClient(stack);
        List<Created> addresses = api.addresses(POLLED);
        MeasuredProcess server = MeasuredProcess.of(stack, Service.API);
        int port = stack.port(Port.HTTP);
        Load<?> create = HttpConnection.load(port, 201, api.fromEach("POST", "/v1/addresses", "{}"));
        Load<?> poll = HttpConnection.load(
                port,
                200,
                addresses.stream().map(address -> address.request("GET", "")).toList());
        Load<?> list = HttpConnection.load(port, 200, api.fromEach("GET", "/v1/addresses", ""));
        for (Load<?> load : List.of(create, poll, list)) {
            bench.say("warming up");
            load.peak(Bench.WARM_UP);
        }
        double creates = peak("POST /addresses", server, create);
        double polls = peak("GET /addresses/{id}", server, poll);
        peak("GET /addresses", server, list);
        half("POST /addresses", create, creates);
        half("GET /addresses/{id}", poll, polls);
        double empty;
        try (Ceilings ceilings = Ceilings.of(stack)) {
            Load<?> nothing = HttpConnection.load(
                    ceilings.httpPort(), 200, List.of(HttpConnection.request("GET", "/empty", "none", "")));
            nothing.peak(Bench.WARM_UP);
            empty = peak("GET /empty", ceilings.process(), nothing);
        }
        Supplier<Created> address = Load.roundRobin(addresses);
        double selects = ceiling("bare SELECT by primary key", SELECT, () ->
                new Object[] {address.get().id()});
        Supplier<Account> account = Load.roundRobin(api.accounts());
        double inserts = ceiling("bare INSERT of one row", INSERT, () -> new Object[] {
            // In random order, like the ids that the service issues.
            "bench%019d".formatted(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE)),
            account.get().id()
        });
        bench.add(peaks.note("%d connections; cpu us and heap bytes: of the server's process, for each request."
                .formatted(Bench.CONNECTIONS)));
        bench.add(halves.note("Aim: p99 below 20 ms. A latency starts when the request is due."));
        double series = 1 / (1 / empty + 1 / selects);
        bench.add(new Table("The API compared with its ceilings", "what | reached | ceiling | share | aim")
                .row("polls/s", polls, series, polls / series, 0.6)
                .row("creates/s", creates, inserts, creates / inserts, 0.45)
                .note("Ceiling of polls: the empty endpoint and the SELECT in series; of creates: the bare INSERT."));
    }

    private double peak(String name, MeasuredProcess server, Load<?> load) throws Exception {
        bench.say(name);
        Measurement peak = server.measure(() -> load.peak(bench.time()));
        peaks.row(name, peak.perSecond(), peak.outcome().latency(), peak.processorMicros(), peak.heapBytes());
        return peak.perSecond();
    }

    private void half(String name, Load<?> load, double peak) throws Exception {
        Outcome outcome = load.atRate(peak / 2, bench.sustained());
        halves.row(name, outcome.perSecond(), outcome.latency());
    }

    private double ceiling(String name, String sql, Supplier<Object[]> values) throws Exception {
        Outcome outcome = bench.peak(Statements.load(Bench.CONNECTIONS, stack.database(), sql, values));
        peaks.row(name, outcome.perSecond(), outcome.latency(), "", "");
        return outcome.perSecond();
    }
}
