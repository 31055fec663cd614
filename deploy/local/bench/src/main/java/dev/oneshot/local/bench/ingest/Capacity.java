package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Settings;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.system.BenchStack;
import dev.oneshot.local.bench.system.Ceilings;
import dev.oneshot.local.bench.system.MeasuredProcess;
import dev.oneshot.local.stack.Service;
import java.time.Duration;

/** Ingest and the broker at full speed, compared with their ceilings and with Postfix's sink. */
final class Capacity {

    private static final int USUAL = 10 * 1024;
    private static final int MIDDLE = 100 * 1024;
    // One measurement must not fill the broker's disk; a sink that discards needs none.
    private static final long BYTES_MAX = 3L * 1024 * 1024 * 1024;

    private final Bench bench;
    private final BenchStack stack;
    private final Settings settings;
    private final MeasuredProcess ingest;
    private final Recipients recipients;
    private final Table table = new Table(
            "Receiving at full speed, ingest and broker alone",
            "size | mode | conn | ours/s | p50/p99 ms | 452s | cpu us | discard/s | ours/discard | sink/s | ours/sink");
    private long messages;

    Capacity(Bench bench, BenchStack stack) {
        this.bench = bench;
        this.stack = stack;
        this.settings = bench.settings();
        this.ingest = stack.process(Service.INGEST);
        this.recipients = Recipients.signed(stack.addressKey());
    }

    void measure() throws Exception {
        long before = ingest.residentMib();
        try (Ceilings ceilings = stack.ceilings()) {
            for (SmtpMode mode : SmtpMode.values()) {
                SmtpLoad.of(settings.usualConnections(), ceilings.smtpPort(), mode, Letter.content(USUAL), recipients)
                        .peak(Duration.ZERO, Duration.ofSeconds(3));
            }
            for (int size : settings.sizes()) {
                for (int connections : settings.connections()) {
                    for (SmtpMode mode : SmtpMode.values()) {
                        if (isMeasured(size, connections, mode)) {
                            measure(size, connections, mode, ceilings);
                        }
                    }
                }
            }
        }
        bench.add(table.note("discard: the same server with a sink that discards. sink: Postfix's smtp-sink.")
                .note("Aim of ours/sink: 0.45 (one a connection), 0.40 (kept, pipelined), 0.55 (100 KB).")
                .note("cpu us: processor time of the ingest process for each message."));
        bench.add(new Table("Resident memory of ingest", "when | RSS MiB")
                .row("before", before)
                .row("after %,d messages".formatted(messages), ingest.residentMib())
                .row("maximum", ingest.residentPeakMib())
                .note("Aim: at most 350 MiB, and at most a tenth more after a hundred thousand messages."));
    }

    /** Every mode at the usual size; at the others those that differ most. */
    private boolean isMeasured(int size, int connections, SmtpMode mode) {
        boolean other = mode == SmtpMode.ONE || (size == MIDDLE && mode == SmtpMode.KEPT);
        return size == USUAL || (connections == settings.usualConnections() && other);
    }

    private void measure(int size, int connections, SmtpMode mode, Ceilings ceilings) throws Exception {
        byte[] content = Letter.content(size);
        MeasuredProcess.Usage usage = ingest.usage();
        long begin = System.nanoTime();
        Outcome ours = load(stack.smtpPort(), content, connections, mode, BYTES_MAX / size);
        double share = ours.seconds() / ((System.nanoTime() - begin) / 1e9);
        double micros = usage.processorMicros(ours.done()) * share;
        double discard = load(ceilings.smtpPort(), content, connections, mode, Long.MAX_VALUE)
                .perSecond();
        double sink = 0;
        if (ceilings.sinkPort().isPresent()) {
            sink = load(ceilings.sinkPort().getAsInt(), content, connections, mode, Long.MAX_VALUE)
                    .perSecond();
        }
        table.row(
                text(size),
                mode.words(),
                connections,
                ours.perSecond(),
                ours.latency(),
                ours.refused(),
                micros,
                discard,
                ours.perSecond() / discard,
                sink,
                sink == 0 ? "not installed" : "%.2f".formatted(ours.perSecond() / sink));
        messages += ours.done();
        bench.say("%s, %s, %d connections: %,.0f/s".formatted(text(size), mode.words(), connections, ours.perSecond()));
    }

    private Outcome load(int port, byte[] content, int connections, SmtpMode mode, long messagesMax) throws Exception {
        return SmtpLoad.of(connections, port, mode, content, recipients)
                .peak(settings.warmUp(), settings.time(), messagesMax);
    }

    private static String text(int size) {
        return size >= 1024 * 1024 ? size / (1024 * 1024) + " MB" : size / 1024 + " KB";
    }
}
