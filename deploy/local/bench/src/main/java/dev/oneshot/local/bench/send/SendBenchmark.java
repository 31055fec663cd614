package dev.oneshot.local.bench.send;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Settings;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.api.ApiClient;
import dev.oneshot.local.bench.api.HttpConnection;
import dev.oneshot.local.bench.api.HttpLoad;
import dev.oneshot.local.bench.ingest.Letter;
import dev.oneshot.local.bench.ingest.SmtpLoad;
import dev.oneshot.local.bench.ingest.SmtpMode;
import dev.oneshot.local.bench.system.BenchStack;
import dev.oneshot.local.bench.system.MeasuredProcess;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Requests to send as fast as the API takes them, with the relay holding its breath; then mails as fast as the mailer
 * hands them over; then both at a fixed rate. Beside them a bare SMTP client on such a relay, and bare creates.
 */
public final class SendBenchmark {

    /** As many as the mailer has by default. */
    private static final int RELAY_CONNECTIONS = 16;
    // A request is held once for each account, and the plan allows no more by far.
    private static final int CONTENT_MAX = 1024 * 1024;
    private static final int COMPILE_OCTETS = 2048;
    private static final Duration COMPILE = Duration.ofSeconds(5);

    private final Bench bench;
    private final BenchStack stack;
    private final SinkRelay relay;
    private final Deliveries deliveries;
    private final Settings settings;
    private final List<String> keys;
    private final Table peaks = new Table("Sending as fast as it goes, API and mailer one after the other");
    private final Table fixed =
            new Table("Sending at half of that, at a fixed rate, whole stack: from 201 to the relay's 250");

    private SendBenchmark(Bench bench, BenchStack stack, SinkRelay relay, Deliveries deliveries) throws IOException {
        this.bench = bench;
        this.stack = stack;
        this.relay = relay;
        this.deliveries = deliveries;
        this.settings = bench.settings();
        this.keys = new ApiClient(stack).accounts(settings.accounts());
    }

    /** Runs it on a stack of its own. */
    public static void run(Bench bench) throws Exception {
        Deliveries deliveries = new Deliveries();
        try (SinkRelay relay = new SinkRelay(deliveries)) {
            Map<String, String> services = new HashMap<>(ApiClient.NO_LIMITS);
            services.put("ONESHOT_RELAY_PORT", Integer.toString(relay.port()));
            try (BenchStack stack = BenchStack.start(bench, services)) {
                new SendBenchmark(bench, stack, relay, deliveries).measure();
            }
        }
    }

    private void measure() throws Exception {
        bench.say("warming up");
        load(COMPILE_OCTETS).peak(Duration.ZERO, COMPILE);
        deliveries.awaitAll();
        double creates = creates();
        Table ceilings = new Table("Sending beside its ceilings");
        for (int octets :
                settings.sizes().stream().filter(size -> size <= CONTENT_MAX).toList()) {
            bench.say("mails of %,d octets".formatted(octets));
            double accepted = accepted(octets);
            double relayed = relayed(octets);
            double bare = bareClient(octets);
            fixed(octets, 1 / (1 / accepted + 1 / relayed) / 2);
            ceilings.row(
                            "octets",
                            octets,
                            "what",
                            "accepted/s",
                            "reached",
                            accepted,
                            "ceiling",
                            creates,
                            "share",
                            accepted / creates)
                    .row(
                            "octets",
                            octets,
                            "what",
                            "relayed/s",
                            "reached",
                            relayed,
                            "ceiling",
                            bare,
                            "share",
                            relayed / bare);
        }
        bench.report()
                .add(peaks.note(
                        ("%d connections to the API, %d from the mailer to the relay; cpu us and heap bytes: of the"
                                        + " service's process, for each mail.")
                                .formatted(settings.connections().getFirst(), RELAY_CONNECTIONS)));
        bench.report()
                .add(fixed.note(
                        "All that was accepted was relayed; %,d mails came twice.".formatted(deliveries.repeated())));
        bench.report()
                .add(
                        ceilings.note(
                                "Ceiling of accepted: creates without a mail; of relayed: a bare SMTP client on as many kept connections."));
    }

    private Load load(int octets) {
        List<byte[]> requests =
                keys.stream().map(key -> SendLoad.request(key, octets)).toList();
        AtomicInteger next = new AtomicInteger();
        return Load.of(
                settings.connections().getFirst(), _ -> new SendLoad(stack.httpPort(), requests, next, deliveries));
    }

    private double creates() throws Exception {
        List<byte[]> requests = keys.stream()
                .map(key -> HttpConnection.request("POST", "/v1/addresses", key, "{}"))
                .toList();
        AtomicInteger next = new AtomicInteger();
        return Load.of(settings.connections().getFirst(), _ -> new HttpLoad(stack.httpPort(), 201, requests, next))
                .peak(settings.warmUp(), settings.seconds())
                .perSecond();
    }

    /** The relay takes nothing meanwhile, so that the API has the processors to itself, the outbox's relay included. */
    private double accepted(int octets) throws Exception {
        relay.hold();
        Cost cost = new Cost(stack.process(Service.API));
        Outcome outcome = load(octets).peak(Duration.ZERO, settings.seconds());
        peaks.row(
                "octets", octets,
                "what", "accepted",
                "per second", outcome.perSecond(),
                "mails", outcome.done(),
                "cpu us", cost.processorMicros(outcome.done()),
                "heap bytes", cost.heapBytes(outcome.done()));
        return outcome.perSecond();
    }

    /** What has piled up at the relay's door. */
    private double relayed(int octets) throws Exception {
        Cost cost = new Cost(stack.process(Service.MAILER));
        int before = deliveries.relayed();
        long begin = System.nanoTime();
        relay.release();
        deliveries.awaitAll();
        int mails = deliveries.relayed() - before;
        double perSecond = mails * 1e9 / (deliveries.lastRelayed() - begin);
        peaks.row(
                "octets",
                octets,
                "what",
                "relayed",
                "per second",
                perSecond,
                "mails",
                mails,
                "cpu us",
                cost.processorMicros(mails),
                "heap bytes",
                cost.heapBytes(mails));
        return perSecond;
    }

    private double bareClient(int octets) throws Exception {
        byte[] content = Letter.content(octets);
        try (SinkRelay other = new SinkRelay(new Deliveries())) {
            return Load.of(
                            RELAY_CONNECTIONS,
                            _ -> new SmtpLoad(other.port(), SmtpMode.KEPT, content, () -> "somebody@recipient.example"))
                    .peak(settings.warmUp(), settings.seconds())
                    .perSecond();
        }
    }

    private void fixed(int octets, double perSecond) throws Exception {
        Load load = load(octets);
        load.atRate(perSecond, Duration.ZERO, settings.warmUp());
        deliveries.awaitAll();
        deliveries.restartLatency();
        Outcome outcome = load.atRate(perSecond, Duration.ZERO, settings.sustain());
        deliveries.awaitAll();
        fixed.row(
                "octets", octets,
                "per second", outcome.perSecond(),
                "mails", deliveries.latency().count(),
                "p50 ms", deliveries.latency().percentileMillis(50),
                "p99 ms", deliveries.latency().percentileMillis(99),
                "201 p50 ms", outcome.latency().percentileMillis(50),
                "201 p99 ms", outcome.latency().percentileMillis(99));
    }

    /** What a process has used since. */
    private static final class Cost {

        private final MeasuredProcess process;
        private final Duration processor;
        private final long allocated;

        Cost(MeasuredProcess process) throws IOException {
            this.process = process;
            this.allocated = process.allocatedBytes();
            this.processor = process.processorTime();
        }

        double processorMicros(long operations) {
            return process.processorTime().minus(processor).toNanos() / 1e3 / Math.max(operations, 1);
        }

        double heapBytes(long operations) throws IOException {
            return (process.allocatedBytes() - allocated) / (double) Math.max(operations, 1);
        }
    }
}
