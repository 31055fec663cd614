package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Settings;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.system.BenchStack;
import dev.oneshot.local.bench.system.Ceilings;
import dev.oneshot.local.bench.system.MeasuredProcess;
import dev.oneshot.local.stack.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** As fast as it goes: ingest with the broker, beside what limits it and what others reach. */
final class Capacity {

    private static final int USUAL = 10 * 1024;
    private static final int MIDDLE = 100 * 1024;
    private static final double MICROS_IN_SECOND = 1e6;
    // The broker's disk is not spent on one measurement; what discards needs none.
    private static final long OCTETS_MAX = 3L * 1024 * 1024 * 1024;

    private final Bench bench;
    private final BenchStack stack;
    private final Settings settings;
    private final Recipients recipients;

    private record Cell(int octets, SmtpMode mode, int connections) {}

    Capacity(Bench bench, BenchStack stack) {
        this.bench = bench;
        this.stack = stack;
        this.settings = bench.settings();
        this.recipients = Recipients.signed(stack.addressKey());
    }

    void measure() throws Exception {
        MeasuredProcess ingest = stack.process(Service.INGEST);
        Table table = new Table("Receiving as fast as it goes, ingest and broker alone");
        long before = ingest.residentMib();
        long messages = 0;
        Optional<Postfix> postfix = Postfix.start();
        try (Ceilings ceilings = stack.ceilings()) {
            warmUp(ceilings.smtpPort());
            for (Cell cell : cells()) {
                messages += measure(table, cell, ceilings, postfix.orElse(null));
            }
            bench.report()
                    .add(table.note(
                                    "discard: the same server with a sink that discards. sink: Postfix's smtp-sink. Same load for all three.")
                            .note("Aim of ours/sink: 0.45 (one a connection), 0.40 (kept, pipelined), 0.55 (100 KB).")
                            .note("cpu us: processor time of the ingest process for each message."));
            broker();
            if (postfix.isPresent()) {
                source(ceilings.smtpPort(), postfix.get());
            }
        } finally {
            postfix.ifPresent(Postfix::close);
        }
        bench.report()
                .add(new Table("Resident memory of ingest")
                        .row("when", "before", "RSS MiB", before)
                        .row("when", "after %,d messages".formatted(messages), "RSS MiB", ingest.residentMib())
                        .row("when", "at most, ever", "RSS MiB", ingest.residentPeakMib())
                        .note("Aim: at most 350 MiB, and at most a tenth more after a hundred thousand messages."));
    }

    private List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (int octets : settings.sizes()) {
            for (int connections : settings.connections()) {
                for (SmtpMode mode : SmtpMode.values()) {
                    boolean usual = connections == settings.connections().getFirst();
                    boolean other = mode == SmtpMode.ONE || (octets == MIDDLE && mode == SmtpMode.KEPT);
                    if (settings.full() || octets == USUAL || (usual && other)) {
                        cells.add(new Cell(octets, mode, connections));
                    }
                }
            }
        }
        return cells;
    }

    private void warmUp(int port) throws Exception {
        byte[] content = Letter.content(USUAL);
        for (SmtpMode mode : SmtpMode.values()) {
            Load.of(settings.connections().getFirst(), _ -> new SmtpLoad(port, mode, content, recipients))
                    .peak(Duration.ZERO, Duration.ofSeconds(3));
        }
    }

    private long measure(Table table, Cell cell, Ceilings ceilings, @Nullable Postfix postfix) throws Exception {
        MeasuredProcess ingest = stack.process(Service.INGEST);
        byte[] content = Letter.content(cell.octets());
        Duration before = ingest.processorTime();
        long begin = System.nanoTime();
        Outcome ours = load(stack.smtpPort(), cell, content, OCTETS_MAX / cell.octets());
        double share = ours.seconds() / ((System.nanoTime() - begin) / 1e9);
        double micros = ingest.processorTime().minus(before).toNanos() / 1e3 * share / Math.max(ours.done(), 1);
        double discard = discarded(ceilings.smtpPort(), cell, content);
        double sink = postfix == null ? 0 : discarded(postfix.sinkPort(), cell, content);
        table.row(
                "size", size(cell.octets()),
                "mode", cell.mode().words(),
                "conn", cell.connections(),
                "ours/s", ours.perSecond(),
                "p50 ms", ours.latency().percentileMillis(50),
                "p99 ms", ours.latency().percentileMillis(99),
                "452s", ours.refused(),
                "cpu us", micros,
                "discard/s", discard,
                "ours/discard", ours.perSecond() / discard,
                "sink/s", sink,
                "ours/sink", postfix == null ? "not installed" : "%.2f".formatted(ours.perSecond() / sink));
        bench.say("%s, %s, %d connections: %,.0f/s"
                .formatted(size(cell.octets()), cell.mode().words(), cell.connections(), ours.perSecond()));
        return ours.done();
    }

    private double discarded(int port, Cell cell, byte[] content) throws Exception {
        return load(port, cell, content, Long.MAX_VALUE).perSecond();
    }

    private Outcome load(int port, Cell cell, byte[] content, long messagesMax) throws Exception {
        return Load.of(cell.connections(), _ -> new SmtpLoad(port, cell.mode(), content, recipients))
                .peak(settings.warmUp(), settings.seconds(), messagesMax);
    }

    private void broker() throws Exception {
        Table table = new Table("A bare Kafka producer, acks=all, on the same broker");
        for (int octets : settings.sizes()) {
            Outcome outcome = KafkaCeiling.measure(stack.kafka(), octets, settings.warmUp(), settings.seconds());
            table.row(
                    "size", size(octets),
                    "records/s", outcome.perSecond(),
                    "MB/s", outcome.perSecond() * octets / MICROS_IN_SECOND);
        }
        bench.report().add(table);
    }

    /** The second opinion: another program as the load. */
    private void source(int discardPort, Postfix postfix) throws Exception {
        Table table = new Table("The same under Postfix's smtp-source");
        String recipient = recipients.get();
        for (int octets : List.of(USUAL, MIDDLE)) {
            for (int connections : settings.connections()) {
                for (boolean kept : List.of(false, true)) {
                    int probe = (int) (1000L * USUAL / octets) + connections;
                    double guess = postfix.rate(stack.smtpPort(), recipient, octets, connections, kept, probe);
                    int messages = (int) Math.max(guess * settings.seconds().toSeconds(), probe);
                    double ours = postfix.rate(stack.smtpPort(), recipient, octets, connections, kept, messages);
                    double discard = postfix.rate(discardPort, recipient, octets, connections, kept, messages);
                    double sink = postfix.rate(postfix.sinkPort(), recipient, octets, connections, kept, messages);
                    table.row(
                            "size",
                            size(octets),
                            "mode",
                            (kept ? SmtpMode.KEPT : SmtpMode.ONE).words(),
                            "conn",
                            connections,
                            "ours/s",
                            ours,
                            "discard/s",
                            discard,
                            "sink/s",
                            sink,
                            "ours/discard",
                            ours / discard,
                            "ours/sink",
                            ours / sink);
                }
            }
        }
        bench.report().add(table);
    }

    private static String size(int octets) {
        return octets >= 1024 * 1024 ? octets / (1024 * 1024) + " MB" : octets / 1024 + " KB";
    }
}
