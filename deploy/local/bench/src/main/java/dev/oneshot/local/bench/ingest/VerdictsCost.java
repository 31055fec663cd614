package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.api.ApiClient;
import dev.oneshot.local.bench.system.BenchStack;
import dev.oneshot.local.bench.system.MeasuredProcess;
import dev.oneshot.local.stack.Service;
import dev.oneshot.testing.LocalDns;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What SPF and DMARC cost: ingest and the broker alone, without and with verdicts in turn. A name server in this process
 * has the sender's records. The messages have no signature.
 */
final class VerdictsCost {

    private static final String ZONE = """
            $TTL 300
            sender.example. IN TXT "v=spf1 include:_spf.sender.example -all"
            _spf.sender.example. IN TXT "v=spf1 ip4:127.0.0.1 -all"
            _dmarc.sender.example. IN TXT "v=DMARC1; p=reject"
            client.example. IN TXT "v=spf1 ip4:127.0.0.1 -all"
            """;

    private static final int ROUNDS = 3;

    private final Bench bench;
    private final byte[] content = Letter.content(10 * 1024);

    private VerdictsCost(Bench bench) {
        this.bench = bench;
    }

    /** Measures next to a warm stack without verdicts. */
    static void measure(Bench bench, BenchStack without) throws Exception {
        Map<String, String> services = new HashMap<>(ApiClient.NO_LIMITS);
        try (LocalDns dns = new LocalDns().serve(ZONE)) {
            services.put("ONESHOT_DNS_SERVERS", dns.address());
            try (BenchStack with = BenchStack.start(bench, services)) {
                for (Service service : List.of(Service.API, Service.MAILER, Service.EXPIRY)) {
                    with.end(service);
                }
                new VerdictsCost(bench).compare(without, with);
            }
        }
    }

    private void compare(BenchStack without, BenchStack with) throws Exception {
        Table table = new Table(
                "Receiving at full speed without and with verdicts, 10 KB",
                "mode | round | without/s | with/s | with/without | without cpu us | with cpu us");
        for (SmtpMode mode : SmtpMode.values()) {
            for (BenchStack stack : List.of(without, with)) {
                bench.say("warming up");
                MeasuredProcess.warmUp(
                        List.of(stack.process(Service.INGEST)),
                        () -> load(stack, mode).peak(Duration.ZERO, MeasuredProcess.TURN));
            }
            for (int round = 1; round <= ROUNDS; round++) {
                Measured off = measured(without, mode);
                Measured on = measured(with, mode);
                double ratio = on.perSecond() / off.perSecond();
                table.row(mode.words(), round, off.perSecond(), on.perSecond(), ratio, off.micros(), on.micros());
            }
        }
        bench.add(table.note("Aim of with/without: 0.8."));
    }

    /** A rate, and the processor time of ingest for each message. */
    private record Measured(double perSecond, double micros) {}

    private Measured measured(BenchStack stack, SmtpMode mode) throws Exception {
        MeasuredProcess.Usage usage = stack.process(Service.INGEST).usage();
        Outcome outcome = load(stack, mode).peak(Duration.ZERO, bench.settings().time());
        return new Measured(outcome.perSecond(), usage.processorMicros(outcome.done()));
    }

    private Load load(BenchStack stack, SmtpMode mode) {
        return SmtpLoad.of(
                bench.settings().usualConnections(),
                stack.smtpPort(),
                mode,
                content,
                Recipients.signed(stack.addressKey()));
    }
}
