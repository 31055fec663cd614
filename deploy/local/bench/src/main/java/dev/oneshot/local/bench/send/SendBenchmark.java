package dev.oneshot.local.bench.send;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.api.ApiClient;
import dev.oneshot.local.bench.api.HttpConnection;
import dev.oneshot.local.bench.ingest.SampleMessage;
import dev.oneshot.local.bench.ingest.SmtpLoad;
import dev.oneshot.local.bench.ingest.SmtpMode;
import dev.oneshot.local.bench.system.MeasuredProcess;
import dev.oneshot.local.bench.system.MeasuredProcess.Measurement;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Requests to send at full speed while the relay waits; then mails at the mailer's full speed; then both at a fixed rate.
 * Compared with creates without a mail and with a bare SMTP client on such a relay.
 */
public final class SendBenchmark {

    /** The mailer's default. */
    private static final int RELAY_CONNECTIONS = 16;

    private static final int CREATED = 201;
    private static final List<Integer> SIZES = List.of(2 * 1024, 10 * 1024, 100 * 1024);
    private static final Duration COMPILE = Duration.ofSeconds(5);
    private static final String TEXT = "Hello, here are the figures. Anna";

    private final Bench bench;
    private final LocalStack stack;
    private final SinkRelay relay;
    private final ApiClient api;
    private final Table peaks = new Table(
            "Sending at full speed, API and mailer one after the other",
            "bytes | what | per second | mails | cpu us | heap bytes");
    private final Table fixed = new Table(
            "Sending at half of that, whole stack: from 201 to the relay's 250",
            "bytes | per second | mails | p50/p99 ms | 201 p50/p99 ms");
    private final Table ceilings =
            new Table("Sending compared with its ceilings", "bytes | what | reached | ceiling | share");

    private SendBenchmark(Bench bench, LocalStack stack, SinkRelay relay) throws IOException {
        this.bench = bench;
        this.stack = stack;
        this.relay = relay;
        this.api = new ApiClient(stack);
    }

    /** Runs the benchmark on its own stack. */
    public static void run(Bench bench) throws Exception {
        try (SinkRelay relay = new SinkRelay()) {
            Map<String, String> services = new HashMap<>(ApiClient.NO_LIMITS);
            services.put("ONESHOT_RELAY_PORT", Integer.toString(relay.port()));
            try (LocalStack stack = bench.stack(services)) {
                new SendBenchmark(bench, stack, relay).measure();
            }
        }
    }

    private void measure() throws Exception {
        bench.say("warming up");
        sends(SIZES.getFirst()).peak(COMPILE);
        relay.awaitAll();
        List<byte[]> empty = api.fromEach("POST", "/v1/addresses", "{}");
        double creates = bench.peak(HttpConnection.load(stack.port(Port.HTTP), CREATED, empty))
                .perSecond();
        for (int size : SIZES) {
            measure(size, creates);
        }
        bench.add(peaks.note("%d connections to the API, %d from the mailer to the relay."
                        .formatted(Bench.CONNECTIONS, RELAY_CONNECTIONS))
                .note("cpu us and heap bytes: of the service's process, for each mail."));
        bench.add(
                fixed.note("All accepted mails were relayed; %,d arrived more than once.".formatted(relay.repeated())));
        bench.add(ceilings.note("Ceiling of accepted: creates without a mail; of relayed: a bare SMTP client on as many"
                + " kept connections."));
    }

    private void measure(int size, double creates) throws Exception {
        bench.say("mails of %,d bytes".formatted(size));
        // The relay accepts no mail yet, so that the API has the processors.
        relay.hold(true);
        double accepted = peak(size, "accepted", Service.API, () -> sends(size).peak(bench.time()));
        double relayed = peak(size, "relayed", Service.MAILER, this::relayAll);
        double bare = bareClient(size);
        ceilings.row(size, "accepted/s", accepted, creates, accepted / creates);
        ceilings.row(size, "relayed/s", relayed, bare, relayed / bare);
        Load<?> both = sends(size);
        double half = 1 / (1 / accepted + 1 / relayed) / 2;
        both.atRate(half, bench.warmUp());
        relay.awaitAll();
        long begin = System.nanoTime();
        Outcome outcome = both.atRate(half, bench.sustained());
        relay.awaitAll();
        Histogram latency = relay.latencySince(begin);
        fixed.row(size, outcome.perSecond(), latency.getTotalCount(), latency, outcome.latency());
    }

    /** Requests for a mail whose text and single attachment have this size. */
    private Load<?> sends(int size) {
        String file = Base64.getEncoder().encodeToString(Bench.randomBytes(size - TEXT.length()));
        String json = """
                {"mode":"send","send":{"to":"grace@recipient.example","subject":"Figures","text_body":"%s",\
                "attachments":[{"filename":"figures.pdf","content_type":"application/pdf","content_base64":"%s"}]}}""".formatted(TEXT, file);
        Supplier<byte[]> requests = Load.roundRobin(api.fromEach("POST", "/v1/addresses", json));
        return new Load<>(Bench.CONNECTIONS, () -> new HttpConnection(stack.port(Port.HTTP)), connection -> {
            connection.exchange(requests.get(), CREATED);
            relay.expect(connection.string("id"), System.nanoTime());
            return true;
        });
    }

    private double peak(int size, String what, Service service, Callable<Outcome> load) throws Exception {
        Measurement peak = MeasuredProcess.of(stack, service).measure(load);
        long mails = peak.outcome().done();
        peaks.row(size, what, peak.perSecond(), mails, peak.processorMicros(), peak.heapBytes());
        return peak.perSecond();
    }

    /** Relays the mails that wait. */
    private Outcome relayAll() throws Exception {
        int before = relay.relayed();
        long begin = System.nanoTime();
        relay.hold(false);
        relay.awaitAll();
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new Outcome(relay.relayed() - before, 0, seconds, Load.latency());
    }

    private double bareClient(int size) throws Exception {
        try (SinkRelay other = new SinkRelay()) {
            byte[] content = SampleMessage.content(size);
            return bench.peak(SmtpLoad.of(
                            RELAY_CONNECTIONS, other.port(), SmtpMode.KEPT, content, () -> "grace@recipient.example"))
                    .perSecond();
        }
    }
}
