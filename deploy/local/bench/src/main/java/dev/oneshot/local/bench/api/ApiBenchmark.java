package dev.oneshot.local.bench.api;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Settings;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.api.ApiClient.Created;
import dev.oneshot.local.bench.system.BenchStack;
import dev.oneshot.local.bench.system.Ceilings;
import dev.oneshot.local.bench.system.MeasuredProcess;
import dev.oneshot.local.bench.system.WarmUp;
import dev.oneshot.local.stack.Service;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates, polls and list pages over many accounts, beside the database alone and an endpoint that does nothing. */
public final class ApiBenchmark {

    private static final int POLLED = 5000;
    private static final String EMPTY = "GET /empty";

    private final Bench bench;
    private final BenchStack stack;
    private final Settings settings;
    private final int connections;
    private final Table peaks = new Table("The API as fast as it goes");
    private final Table halves = new Table("The API at half of that, at a fixed rate");

    private ApiBenchmark(Bench bench, BenchStack stack) {
        this.bench = bench;
        this.stack = stack;
        this.settings = bench.settings();
        this.connections = settings.connections().getFirst();
    }

    /** Runs it on a stack of its own. */
    public static void run(Bench bench) throws Exception {
        try (BenchStack stack = BenchStack.start(bench, ApiClient.NO_LIMITS)) {
            new ApiBenchmark(bench, stack).measure();
        }
    }

    /** What is asked, and by which requests, taken round and round. */
    private record Operation(String name, int expected, List<byte[]> requests) {}

    private void measure() throws Exception {
        ApiClient api = new ApiClient(stack);
        List<String> keys = api.accounts(settings.accounts());
        List<Created> addresses = api.addresses(keys, POLLED);
        Operation create = new Operation(
                "POST /addresses",
                201,
                keys.stream()
                        .map(key -> HttpConnection.request("POST", "/v1/addresses", key, "{}"))
                        .toList());
        Operation poll = new Operation(
                "GET /addresses/{id}",
                200,
                addresses.stream()
                        .map(address ->
                                HttpConnection.request("GET", "/v1/addresses/" + address.id(), address.key(), ""))
                        .toList());
        Operation list = new Operation(
                "GET /addresses",
                200,
                keys.stream()
                        .map(key -> HttpConnection.request("GET", "/v1/addresses", key, ""))
                        .toList());
        MeasuredProcess process = stack.process(Service.API);
        for (Operation operation : List.of(create, poll, list)) {
            warmUp(operation, stack.httpPort(), process);
        }
        double creates = peak(create, stack.httpPort(), process);
        double polls = peak(poll, stack.httpPort(), process);
        peak(list, stack.httpPort(), process);
        half(create, creates);
        half(poll, polls);
        double empty;
        try (Ceilings ceilings = stack.ceilings()) {
            Operation nothing =
                    new Operation(EMPTY, 200, List.of(HttpConnection.request("GET", "/empty", "nobody", "")));
            warmUp(nothing, ceilings.httpPort(), ceilings.process());
            empty = peak(nothing, ceilings.httpPort(), ceilings.process());
        }
        DatabaseCeilings database =
                new DatabaseCeilings(stack, addresses.stream().map(Created::id).toList());
        double selects = database.select(connections, settings, peaks);
        double inserts = database.insert(connections, settings, peaks);
        bench.report()
                .add(peaks.note("%d connections; cpu us and heap bytes: of the server's process, for each request."
                        .formatted(connections)));
        bench.report().add(halves.note("Aim: p99 below 20 ms. A request counts from when it was due."));
        double series = 1 / (1 / empty + 1 / selects);
        bench.report()
                .add(
                        new Table("The API beside its ceilings")
                                .row(
                                        "what",
                                        "polls/s",
                                        "reached",
                                        polls,
                                        "ceiling",
                                        series,
                                        "share",
                                        polls / series,
                                        "aim",
                                        0.5)
                                .row(
                                        "what",
                                        "creates/s",
                                        "reached",
                                        creates,
                                        "ceiling",
                                        inserts,
                                        "share",
                                        creates / inserts,
                                        "aim",
                                        0.35)
                                .note(
                                        "Ceiling of polls: the empty endpoint and the SELECT in series; of creates: the bare INSERT."));
    }

    private Load load(int port, Operation operation) {
        AtomicInteger next = new AtomicInteger();
        return Load.of(connections, _ -> new HttpLoad(port, operation.expected(), operation.requests(), next));
    }

    private void warmUp(Operation operation, int port, MeasuredProcess process) throws Exception {
        bench.say("warming up " + operation.name());
        WarmUp.of(() -> load(port, operation).peak(Duration.ZERO, WarmUp.TURN), List.of(process));
    }

    private double peak(Operation operation, int port, MeasuredProcess process) throws Exception {
        bench.say(operation.name());
        long allocated = process.allocatedBytes();
        Duration processor = process.processorTime();
        Outcome outcome = load(port, operation).peak(Duration.ZERO, settings.seconds());
        double count = Math.max(outcome.done(), 1);
        peaks.row(
                "what", operation.name(),
                "per second", outcome.perSecond(),
                "p50 ms", outcome.latency().percentileMillis(50),
                "p99 ms", outcome.latency().percentileMillis(99),
                "cpu us", process.processorTime().minus(processor).toNanos() / 1e3 / count,
                "heap bytes", (process.allocatedBytes() - allocated) / count);
        return outcome.perSecond();
    }

    private void half(Operation operation, double peak) throws Exception {
        Outcome outcome =
                load(stack.httpPort(), operation).atRate(Math.max(peak / 2, 1), settings.warmUp(), settings.sustain());
        halves.row(
                "what", operation.name(),
                "per second", outcome.perSecond(),
                "p50 ms", outcome.latency().percentileMillis(50),
                "p99 ms", outcome.latency().percentileMillis(99));
    }
}
