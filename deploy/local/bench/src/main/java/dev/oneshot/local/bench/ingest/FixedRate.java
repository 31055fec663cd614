package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.api.ApiClient;
import dev.oneshot.local.bench.api.ApiClient.Created;
import dev.oneshot.local.bench.system.BenchStack;
import dev.oneshot.local.bench.system.MeasuredProcess;
import dev.oneshot.local.bench.system.WarmUp;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The whole stack at rates that it should bear without noticing: real addresses, each receives its one mail. */
final class FixedRate {

    private static final int OCTETS = 10 * 1024;
    private static final int CALM = 200;
    private static final int BRISK = 1000;
    // More watchers would be a load of their own, and the more the slower everything is.
    private static final int EVERY = 20;
    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final Duration HIGH_LOAD = Duration.ofSeconds(4);

    private final Bench bench;
    private final BenchStack stack;
    private final int connections;
    private final byte[] content = Letter.content(OCTETS);
    private final ApiClient api;
    private final List<String> keys;

    FixedRate(Bench bench, BenchStack stack) throws IOException {
        this.bench = bench;
        this.stack = stack;
        this.connections = bench.settings().connections().getFirst();
        this.api = new ApiClient(stack);
        this.keys = api.accounts(bench.settings().accounts());
    }

    /** So that the fixed rates meet compiled code. */
    void warmUp() throws Exception {
        bench.say("warming up");
        Recipients signed = Recipients.signed(stack.addressKey());
        for (SmtpMode mode : List.of(SmtpMode.ONE, SmtpMode.PIPELINED)) {
            Load.of(connections, _ -> new SmtpLoad(stack.smtpPort(), mode, content, signed))
                    .peak(Duration.ZERO, HIGH_LOAD);
        }
    }

    /** From connect to 250, and from there to {@code received} as a client of the API sees it. */
    void latencies() throws Exception {
        try (ReceivedWatch warm = new ReceivedWatch(stack.httpPort())) {
            WarmUp.of(() -> receive(WarmUp.TURN, warm), services());
        }
        try (ReceivedWatch watch = new ReceivedWatch(stack.httpPort())) {
            Outcome outcome = receive(bench.settings().sustain(), watch);
            bench.report()
                    .add(new Table("Receiving at a fixed %d/s, one message of 10 KB a connection, whole stack"
                                    .formatted(CALM))
                            .row(
                                    "from", "connect",
                                    "to", "250",
                                    "messages", outcome.done(),
                                    "p50 ms", outcome.latency().percentileMillis(50),
                                    "p99 ms", outcome.latency().percentileMillis(99))
                            .row(
                                    "from", "250",
                                    "to", "received",
                                    "messages", watch.since250().count(),
                                    "p50 ms", watch.since250().percentileMillis(50),
                                    "p99 ms", watch.since250().percentileMillis(99))
                            .row(
                                    "from", "connect",
                                    "to", "received",
                                    "messages", watch.sinceConnect().count(),
                                    "p50 ms", watch.sinceConnect().percentileMillis(50),
                                    "p99 ms", watch.sinceConnect().percentileMillis(99))
                            .note(
                                    "A message counts from when it was due. Every twentieth address is polled, each 2 ms.")
                            .note("Aim: 250 within 2 ms (p50) and 20 ms (p99); received within 10 ms and 100 ms."));
        }
    }

    /** A brisk rate for longer: does the consumer keep up, does memory stay? */
    void sustained() throws Exception {
        bench.say("warming up at %,d/s".formatted(BRISK));
        Table table = new Table("Receiving at a fixed %,d/s, 10 KB on kept connections, whole stack".formatted(BRISK));
        try (Lag lag = new Lag(stack.kafka())) {
            WarmUp.of(() -> receiveBriskly(WarmUp.TURN), services());
            lag.awaitNone();
            memory(table, "before", lag);
            Outcome outcome = receiveBriskly(bench.settings().sustain());
            memory(table, "at the end", lag);
            table.note("%,d messages in %.1f s, %,d refused; due to 250: p50 %.2f ms, p99 %.2f ms"
                            .formatted(
                                    outcome.done(),
                                    outcome.seconds(),
                                    outcome.refused(),
                                    outcome.latency().percentileMillis(50),
                                    outcome.latency().percentileMillis(99)))
                    .note("Aim: the lag does not grow; ingest stays below 350 MiB, api below 450 MiB.");
        }
        bench.report().add(table);
    }

    private Outcome receiveBriskly(Duration time) throws Exception {
        int count = (int) (BRISK * (time.plus(WARM_UP).toSeconds() + 1));
        Recipients recipients = Recipients.created(
                api.addresses(keys, count).stream().map(Created::id).toList());
        bench.say("%,d addresses have been created; now they receive".formatted(count));
        return Load.of(connections, _ -> new SmtpLoad(stack.smtpPort(), SmtpMode.KEPT, content, recipients))
                .atRate(BRISK, WARM_UP, time);
    }

    private List<MeasuredProcess> services() {
        return Arrays.stream(Service.values()).map(stack::process).toList();
    }

    private Outcome receive(Duration time, ReceivedWatch watch) throws Exception {
        List<Created> addresses = api.addresses(keys, (int) (CALM * (time.toSeconds() + 1)));
        AtomicInteger next = new AtomicInteger();
        Outcome outcome = Load.of(connections, _ -> () -> deliver(addresses, next.getAndIncrement(), watch))
                .atRate(CALM, Duration.ZERO, time);
        watch.await();
        return outcome;
    }

    private boolean deliver(List<Created> addresses, int number, ReceivedWatch watch) throws IOException {
        Created address = addresses.get(number % addresses.size());
        long begun = System.nanoTime();
        boolean taken =
                new SmtpLoad(stack.smtpPort(), SmtpMode.ONE, content, Recipients.created(List.of(address.id()))).once();
        if (taken && number % EVERY == 0) {
            watch.watch(address, begun, System.nanoTime());
        }
        return taken;
    }

    private void memory(Table table, String when, Lag lag) throws Exception {
        table.row(
                "when", when,
                "lag, messages", lag.records(),
                "ingest RSS MiB", stack.process(Service.INGEST).residentMib(),
                "api RSS MiB", stack.process(Service.API).residentMib());
    }
}
