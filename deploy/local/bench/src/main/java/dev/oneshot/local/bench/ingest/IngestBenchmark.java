package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Bench;
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
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * First the whole stack at a fixed rate, then ingest and the broker alone at full speed, compared with the ceilings, and
 * with a second ingest that checks SPF, DKIM and DMARC.
 */
public final class IngestBenchmark {

    private static final int USUAL = 10 * 1024;
    private static final int LARGE = 100 * 1024;
    private static final int FEW = Bench.CONNECTIONS;
    private static final int MANY = 100;
    /** Every mode at the usual size; at other sizes, the modes whose rates differ most. */
    private static final List<Case> CASES = List.of(
            new Case(2 * 1024, SmtpMode.ONE, FEW),
            new Case(USUAL, SmtpMode.ONE, FEW),
            new Case(USUAL, SmtpMode.ONE, FEW, true),
            new Case(USUAL, SmtpMode.PIPELINED, FEW, true),
            new Case(USUAL, SmtpMode.KEPT, FEW),
            new Case(USUAL, SmtpMode.PIPELINED, FEW),
            new Case(USUAL, SmtpMode.ONE, MANY),
            new Case(USUAL, SmtpMode.KEPT, MANY),
            new Case(USUAL, SmtpMode.PIPELINED, MANY),
            new Case(LARGE, SmtpMode.ONE, FEW),
            new Case(LARGE, SmtpMode.KEPT, FEW),
            new Case(5 * 1024 * 1024, SmtpMode.ONE, FEW));

    // One measurement must not fill the broker's disk; a sink that discards needs none.
    private static final long BYTES_MAX = 3L * 1024 * 1024 * 1024;

    private static final int PER_SECOND = 190;
    // Polling more addresses would add load.
    private static final int POLLED_PER_SECOND = 10;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(2);

    /** The records of the sender, without the key of signed messages. */
    private static final String ZONE = """
            $TTL 300
            sender.example. IN TXT "v=spf1 include:_spf.sender.example -all"
            _spf.sender.example. IN TXT "v=spf1 ip4:127.0.0.1 -all"
            _dmarc.sender.example. IN TXT "v=DMARC1; p=reject"
            client.example. IN TXT "v=spf1 ip4:127.0.0.1 -all"
            """;

    private final Bench bench;
    private final LocalStack stack;
    private final SigningKey key;
    private final byte[] content = SampleMessage.newsletter(USUAL);
    private final Table table = new Table(
            "Receiving at full speed, ingest and broker alone",
            "size | mode | conn | ours/s | p50/p99 ms | 452s | cpu us | discard/s | ours/discard | sink/s | ours/sink"
                    + " | verdicts/s | verdicts/ours | verdicts cpu us");

    private IngestBenchmark(Bench bench, LocalStack stack, SigningKey key) {
        this.bench = bench;
        this.stack = stack;
        this.key = key;
    }

    /** Runs the benchmark on its own stacks. */
    public static void run(Bench bench) throws Exception {
        try (LocalStack stack = bench.stack(ApiClient.NO_LIMITS)) {
            SigningKey key = new SigningKey();
            IngestBenchmark benchmark = new IngestBenchmark(bench, stack, key);
            benchmark.fixedRate();
            leaveIngestAlone(stack);
            try (LocalDns dns = new LocalDns().serve(ZONE + key.record());
                    LocalStack withVerdicts = bench.stack(Map.of("ONESHOT_DNS_SERVERS", dns.address()));
                    Ceilings ceilings = Ceilings.of(stack)) {
                leaveIngestAlone(withVerdicts);
                benchmark.fullSpeed(withVerdicts, ceilings);
            }
        }
    }

    /** Without this, the API would spend processor time on mail that it drops. */
    private static void leaveIngestAlone(LocalStack stack) {
        for (Service service : List.of(Service.API, Service.MAILER, Service.EXPIRY)) {
            stack.kill(service);
        }
    }

    private record Case(int size, SmtpMode mode, int connections, boolean signed) {

        Case(int size, SmtpMode mode, int connections) {
            this(size, mode, connections, false);
        }

        String words() {
            return size / 1024 + " KB" + (signed ? ", signed" : "");
        }
    }

    private Load<SmtpLoad> load(Case each, LocalStack to) throws GeneralSecurityException {
        return load(each, to.port(Port.SMTP), to);
    }

    /** To another server, with addresses of the stack. */
    private Load<SmtpLoad> load(Case each, int port, LocalStack addresses) throws GeneralSecurityException {
        byte[] sample = SampleMessage.newsletter(each.size());
        Supplier<String> recipients = Recipients.signed(addresses.addressKey());
        return SmtpLoad.of(
                each.connections(), port, each.mode(), each.signed() ? key.signed(sample) : sample, recipients);
    }

    private void fixedRate() throws Exception {
        bench.say("warming up");
        ApiClient api = new ApiClient(stack);
        // At full speed: at a low rate, the compilers are idle before they have compiled most code.
        load(new Case(USUAL, SmtpMode.ONE, FEW), stack).peak(Bench.WARM_UP);
        receive(api, Bench.WARM_UP);
        bench.add(receive(api, bench.sustained()));
    }

    /**
     * The time from connect to 250, and from there to {@code received} as a polling client of the API sees it. Each
     * address receives one mail.
     */
    private Table receive(ApiClient api, Duration time) throws Exception {
        int count = Math.toIntExact((PER_SECOND + POLLED_PER_SECOND) * (time.toSeconds() + 2));
        Queue<Created> addresses = new ConcurrentLinkedQueue<>(api.addresses(count));
        Histogram since250 = Load.latency();
        Running polling = new Load<>(POLLED_PER_SECOND, () -> new HttpConnection(stack.port(Port.HTTP)), connection -> {
                    Created address = addresses.remove();
                    boolean accepted = send(address);
                    long replied = System.nanoTime();
                    if (accepted) {
                        address.awaitReceived(connection, POLL_INTERVAL);
                        since250.recordValue(System.nanoTime() - replied);
                    }
                    return accepted;
                })
                .start(POLLED_PER_SECOND);
        Outcome sent = new Load<>(FEW, () -> () -> {}, _ -> send(addresses.remove())).atRate(PER_SECOND, time);
        Outcome polled = polling.stop();
        String title = "Receiving at %d/s, one message of 10 KB a connection, whole stack"
                .formatted(PER_SECOND + POLLED_PER_SECOND);
        return new Table(title, "from and to | messages | p50/p99 ms")
                .row("connect to 250", sent.done(), sent.latency())
                .row("250 to received", polled.done(), since250)
                .row("connect to received", polled.done(), polled.latency())
                .note("A time from connect starts when the message is due. %d addresses a second are polled every 2 ms."
                        .formatted(POLLED_PER_SECOND))
                .note("Aim: 250 within 2 ms (p50) and 20 ms (p99); received within 10 ms and 100 ms.");
    }

    private boolean send(Created address) throws IOException {
        try (SmtpLoad connection = new SmtpLoad(stack.port(Port.SMTP), SmtpMode.ONE, content, address::address)) {
            return connection.once();
        }
    }

    private void fullSpeed(LocalStack withVerdicts, Ceilings ceilings) throws Exception {
        MeasuredProcess ingest = MeasuredProcess.of(stack, Service.INGEST);
        long before = ingest.residentMib();
        for (SmtpMode mode : SmtpMode.values()) {
            bench.say("warming up");
            Case usual = new Case(USUAL, mode, FEW);
            load(usual, ceilings.smtpPort(), stack).peak(Bench.WARM_UP);
            load(usual, stack).peak(Bench.WARM_UP);
            load(usual, withVerdicts).peak(Bench.WARM_UP);
            load(new Case(USUAL, mode, FEW, true), withVerdicts).peak(Bench.WARM_UP);
        }
        long messages = 0;
        for (Case each : CASES) {
            bench.say(
                    "%s, %s, %d connections".formatted(each.words(), each.mode().words(), each.connections()));
            Measurement ours = measure(each, stack);
            double discard = ceiling(each, ceilings.smtpPort());
            double sink = ceilings.sinkPort().isPresent()
                    ? ceiling(each, ceilings.sinkPort().getAsInt())
                    : Double.NaN;
            Measurement verdicts = measure(each, withVerdicts);
            table.row(
                    each.words(),
                    each.mode().words(),
                    each.connections(),
                    ours.perSecond(),
                    ours.outcome().latency(),
                    ours.outcome().refused(),
                    ours.processorMicros(),
                    discard,
                    ours.perSecond() / discard,
                    sink,
                    ours.perSecond() / sink,
                    verdicts.perSecond(),
                    verdicts.perSecond() / ours.perSecond(),
                    verdicts.processorMicros());
            messages += ours.outcome().done();
        }
        bench.add(table.note(
                        "discard: the same server with a sink that discards. sink: Postfix's smtp-sink, NaN without it.")
                .note("Aim of ours/sink: 0.45 (one a connection), 0.40 (kept, pipelined), 0.55 (100 KB).")
                .note(
                        "verdicts: a second ingest that checks SPF, DKIM and DMARC. Aim of verdicts/ours: 0.8, of mail with an RSA-2048 signature 0.7.")
                .note("cpu us: processor time of the ingest process for each message."));
        bench.add(new Table("Resident memory of ingest", "when | RSS MiB")
                .row("before", before)
                .row("after %,d messages".formatted(messages), ingest.residentMib())
                .note("Aim: at most 350 MiB, and at most a tenth more after a hundred thousand messages."));
    }

    private double ceiling(Case each, int port) throws Exception {
        return bench.peak(load(each, port, stack)).perSecond();
    }

    private Measurement measure(Case each, LocalStack server) throws Exception {
        Load<?> load = load(each, server);
        load.peak(bench.warmUp());
        return MeasuredProcess.of(server, Service.INGEST)
                .measure(() -> load.peak(bench.time(), BYTES_MAX / each.size()));
    }
}
