package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Latency;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Load.Running;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.api.ApiClient;
import dev.oneshot.local.bench.api.ApiClient.Created;
import dev.oneshot.local.bench.api.HttpConnection;
import dev.oneshot.local.bench.system.Ceilings;
import dev.oneshot.local.bench.system.MeasuredProcess;
import dev.oneshot.local.bench.system.MeasuredProcess.Measurement;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.Service;
import dev.oneshot.testing.LocalDns;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * First the whole stack at a fixed rate, then ingest and the broker alone at full speed, compared with the ceilings, and
 * with a second ingest that checks SPF and DMARC.
 */
public final class IngestBenchmark {

    private static final int USUAL = 10 * 1024;
    private static final int MIDDLE = 100 * 1024;
    // One measurement must not fill the broker's disk; a sink that discards needs none.
    private static final long BYTES_MAX = 3L * 1024 * 1024 * 1024;

    private static final int PER_SECOND = 190;
    // Polling more addresses would be a load of its own.
    private static final int POLLED_PER_SECOND = 10;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(2);

    /** The records of the sender, whose messages have no signature. */
    private static final String ZONE = """
            $TTL 300
            sender.example. IN TXT "v=spf1 include:_spf.sender.example -all"
            _spf.sender.example. IN TXT "v=spf1 ip4:127.0.0.1 -all"
            _dmarc.sender.example. IN TXT "v=DMARC1; p=reject"
            client.example. IN TXT "v=spf1 ip4:127.0.0.1 -all"
            """;

    private final Bench bench;
    private final LocalStack stack;
    private final byte[] content = Letter.content(USUAL);
    private final Table table = new Table(
            "Receiving at full speed, ingest and broker alone",
            "size | mode | conn | ours/s | p50/p99 ms | 452s | cpu us | discard/s | ours/discard | sink/s | ours/sink"
                    + " | verdicts/s | verdicts/ours | verdicts cpu us");

    private IngestBenchmark(Bench bench, LocalStack stack) {
        this.bench = bench;
        this.stack = stack;
    }

    /** Runs the benchmark on its own stacks. */
    public static void run(Bench bench) throws Exception {
        try (LocalStack stack = bench.stack(ApiClient.NO_LIMITS)) {
            IngestBenchmark benchmark = new IngestBenchmark(bench, stack);
            benchmark.fixedRate();
            leaveIngestAlone(stack);
            Map<String, String> services = new HashMap<>(ApiClient.NO_LIMITS);
            try (LocalDns dns = new LocalDns().serve(ZONE)) {
                services.put("ONESHOT_DNS_SERVERS", dns.address());
                try (LocalStack withVerdicts = bench.stack(services);
                        Ceilings ceilings = Ceilings.of(stack)) {
                    leaveIngestAlone(withVerdicts);
                    benchmark.fullSpeed(withVerdicts, ceilings);
                }
            }
        }
    }

    /** The API would only spend processor time on mail that it drops. */
    private static void leaveIngestAlone(LocalStack stack) throws InterruptedException {
        for (Service service : List.of(Service.API, Service.MAILER, Service.EXPIRY)) {
            stack.kill(service);
        }
    }

    /** The time from connect to 250, and from there to {@code received} as a polling client of the API sees it. */
    private void fixedRate() throws Exception {
        bench.say("warming up");
        List<MeasuredProcess> services = MeasuredProcess.services(stack);
        ApiClient api = new ApiClient(stack);
        // At full speed, as the compilers rest at a low rate before they have compiled most code.
        MeasuredProcess.warmUp(
                services,
                () -> load(stack.port(Port.SMTP), stack, USUAL, bench.usualConnections(), SmtpMode.ONE)
                        .peak(MeasuredProcess.TURN));
        MeasuredProcess.warmUp(
                services,
                () -> receive(api, MeasuredProcess.TURN, new Latency()).sent());
        Latency since250 = new Latency();
        Received received = receive(api, bench.sustained(), since250);
        String title = "Receiving at %d/s, one message of 10 KB a connection, whole stack"
                .formatted(PER_SECOND + POLLED_PER_SECOND);
        bench.add(new Table(title, "from | to | messages | p50/p99 ms")
                .row("connect", "250", received.sent().done(), received.sent().latency())
                .row("250", "received", since250.count(), since250)
                .row(
                        "connect",
                        "received",
                        received.polled().done(),
                        received.polled().latency())
                .note("A time from connect starts when the message is due. %d addresses a second are polled every 2 ms."
                        .formatted(POLLED_PER_SECOND))
                .note("Aim: 250 within 2 ms (p50) and 20 ms (p99); received within 10 ms and 100 ms."));
    }

    private record Received(Outcome sent, Outcome polled) {}

    /** Each address receives one mail. */
    private Received receive(ApiClient api, Duration time, Latency since250) throws Exception {
        int count = Math.toIntExact((PER_SECOND + POLLED_PER_SECOND) * (time.toSeconds() + 2));
        Queue<Created> addresses = new ConcurrentLinkedQueue<>(api.addresses(count));
        Running polled = new Load<>(POLLED_PER_SECOND, () -> new HttpConnection(stack.port(Port.HTTP)), connection -> {
                    Created address = addresses.remove();
                    boolean accepted = send(address);
                    long replied = System.nanoTime();
                    if (accepted) {
                        address.awaitReceived(connection, POLL_INTERVAL);
                        since250.record(System.nanoTime() - replied);
                    }
                    return accepted;
                })
                .start(POLLED_PER_SECOND);
        Outcome sent = new Load<>(bench.usualConnections(), () -> () -> {}, _ -> send(addresses.remove()))
                .atRate(PER_SECOND, time);
        return new Received(sent, polled.stop());
    }

    private boolean send(Created address) throws IOException {
        Recipients recipient = Recipients.created(List.of(address.id()));
        try (SmtpLoad connection = new SmtpLoad(stack.port(Port.SMTP), SmtpMode.ONE, content, recipient)) {
            return connection.once();
        }
    }

    private void fullSpeed(LocalStack withVerdicts, Ceilings ceilings) throws Exception {
        MeasuredProcess ingest = MeasuredProcess.of(stack, Service.INGEST);
        long before = ingest.residentMib();
        long messages = 0;
        for (SmtpMode mode : SmtpMode.values()) {
            warmUp(ceilings.process(), ceilings.smtpPort(), stack, mode);
            for (LocalStack each : List.of(stack, withVerdicts)) {
                warmUp(MeasuredProcess.of(each, Service.INGEST), each.port(Port.SMTP), each, mode);
            }
        }
        for (int size : bench.sizes()) {
            for (int connections : bench.connections()) {
                for (SmtpMode mode : SmtpMode.values()) {
                    if (isMeasured(size, connections, mode)) {
                        messages += measure(size, connections, mode, withVerdicts, ceilings);
                    }
                }
            }
        }
        bench.add(table.note("discard: the same server with a sink that discards. sink: Postfix's smtp-sink.")
                .note("Aim of ours/sink: 0.45 (one a connection), 0.40 (kept, pipelined), 0.55 (100 KB).")
                .note("verdicts: a second ingest that checks SPF and DMARC. Aim of verdicts/ours: 0.8.")
                .note("cpu us: processor time of the ingest process for each message."));
        bench.add(new Table("Resident memory of ingest", "when | RSS MiB")
                .row("before", before)
                .row("after %,d messages".formatted(messages), ingest.residentMib())
                .note("Aim: at most 350 MiB, and at most a tenth more after a hundred thousand messages."));
    }

    private void warmUp(MeasuredProcess server, int port, LocalStack signer, SmtpMode mode) throws Exception {
        bench.say("warming up");
        MeasuredProcess.warmUp(
                List.of(server),
                () -> load(port, signer, USUAL, bench.usualConnections(), mode).peak(MeasuredProcess.TURN));
    }

    /** Every mode at the usual size; at the others those that differ most. */
    private boolean isMeasured(int size, int connections, SmtpMode mode) {
        boolean other = mode == SmtpMode.ONE || (size == MIDDLE && mode == SmtpMode.KEPT);
        return size == USUAL || (connections == bench.usualConnections() && other);
    }

    private long measure(int size, int connections, SmtpMode mode, LocalStack withVerdicts, Ceilings ceilings)
            throws Exception {
        Measurement ours = measure(stack, size, connections, mode);
        Outcome outcome = ours.outcome();
        double discard = atCeiling(ceilings.smtpPort(), size, connections, mode);
        double sink = ceilings.sinkPort().isPresent()
                ? atCeiling(ceilings.sinkPort().getAsInt(), size, connections, mode)
                : 0;
        Measurement verdicts = measure(withVerdicts, size, connections, mode);
        String text = size >= 1024 * 1024 ? size / (1024 * 1024) + " MB" : size / 1024 + " KB";
        table.row(
                text,
                mode.words(),
                connections,
                ours.perSecond(),
                outcome.latency(),
                outcome.refused(),
                ours.processorMicros(),
                discard,
                ours.perSecond() / discard,
                sink,
                sink == 0 ? "not installed" : "%.2f".formatted(ours.perSecond() / sink),
                verdicts.perSecond(),
                verdicts.perSecond() / ours.perSecond(),
                verdicts.processorMicros());
        bench.say("%s, %s, %d connections: %,.0f/s".formatted(text, mode.words(), connections, ours.perSecond()));
        return outcome.done();
    }

    private Measurement measure(LocalStack server, int size, int connections, SmtpMode mode) throws Exception {
        Load<?> load = load(server.port(Port.SMTP), server, size, connections, mode);
        load.peak(bench.warmUp());
        Callable<Outcome> measured = () -> load.peak(bench.time(), BYTES_MAX / size);
        return MeasuredProcess.of(server, Service.INGEST).measure(measured);
    }

    private double atCeiling(int port, int size, int connections, SmtpMode mode) throws Exception {
        Load<?> load = load(port, stack, size, connections, mode);
        load.peak(bench.warmUp());
        return load.peak(bench.time()).perSecond();
    }

    /** @param signer the stack whose key the server knows */
    private static Load<SmtpLoad> load(int port, LocalStack signer, int size, int connections, SmtpMode mode) {
        return SmtpLoad.of(connections, port, mode, Letter.content(size), Recipients.signed(signer.addressKey()));
    }
}
