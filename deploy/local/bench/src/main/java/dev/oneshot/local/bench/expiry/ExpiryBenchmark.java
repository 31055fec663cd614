package dev.oneshot.local.bench.expiry;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Load.Running;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;

/** Deletes the same mail in three ways: with the packaged sweep, with a bare DELETE, and with its partition. */
public final class ExpiryBenchmark {

    // Row, TOAST and write-ahead log, with a reserve.
    private static final long DISK_BYTES_PER_ROW = 60_000;
    private static final double READS_PER_SECOND = 200;
    private static final double INSERTS_PER_SECOND = 100;
    private static final double MEBIBYTE = 1024 * 1024;

    private final Bench bench;
    private final LocalStack stack;
    private final MailRows rows;
    private final Table speeds = new Table("Deleting mails of 10 KB", "how | mails | seconds | mails/s");
    private final Table others = new Table(
            "Other accounts at the same time, at fixed rates",
            "while | reads | read p50/p99 ms | inserts | insert p50/p99 ms");

    private ExpiryBenchmark(Bench bench, LocalStack stack, MailRows rows) {
        this.bench = bench;
        this.stack = stack;
        this.rows = rows;
    }

    /** Runs the benchmark on its own stack. */
    public static void run(Bench bench) throws Exception {
        // The service must not drop the partitions of the benchmark.
        try (LocalStack stack = bench.stack(Map.of("ONESHOT_EXPIRY_PARTITION_DROP_DELAY", "24h"))) {
            for (Service service : List.of(Service.EXPIRY, Service.INGEST, Service.MAILER)) {
                stack.kill(service);
            }
            try (MailRows rows = new MailRows(stack.database())) {
                new ExpiryBenchmark(bench, stack, rows).measure();
            }
        }
    }

    private void measure() throws Exception {
        int count = affordable(bench.rows());
        int half = count / 2;
        observe("nothing", () -> Thread.sleep(bench.sustained()));

        bench.say("loading %,d mails for a bare DELETE".formatted(half));
        rows.load(half, false);
        double bare = observe("bare DELETE by index", () -> rows.deleteByIndex(half));
        speed("bare DELETE by index, batches of 500", half, bare);

        bench.say("loading %,d mails for the sweep".formatted(half));
        // The service runs before the commit, so that it sees all mail at once.
        stack.start(Service.EXPIRY);
        stack.awaitReady(Service.EXPIRY);
        rows.loadUncommitted(half);
        double swept = observe("sweep", rows::commitAndAwaitSwept);
        speed("sweep of expiry-service", half, swept);
        stack.kill(Service.EXPIRY);

        bench.say("loading %,d mails for their partition".formatted(count));
        rows.load(count, true);
        long bytes = rows.lastHourBytes();
        double dropped = observe("drop of a partition", rows::dropLastHour);
        speed("drop of their partition, until its files are removed", count, dropped);
        bench.add(speeds.note("%.0f MiB of the partition freed; %.0f MiB of it left"
                        .formatted(bytes / MEBIBYTE, rows.lastHourBytes() / MEBIBYTE))
                .note("Sweep to bare DELETE: %.2f (aim 0.25). Aim of the drop: a million in under a second."
                        .formatted(bare / swept)));
        bench.add(others.note("Aim: the readers' p99 less than doubled."));
    }

    @FunctionalInterface
    private interface Action {
        void run() throws Exception;
    }

    /** Returns the seconds that an action takes, during which others read and write. */
    private double observe(String what, Action action) throws Exception {
        bench.say(what);
        Running reader = rows.reader().start(READS_PER_SECOND);
        Running writer = rows.writer().start(INSERTS_PER_SECOND);
        long begin = System.nanoTime();
        action.run();
        double seconds = (System.nanoTime() - begin) / 1e9;
        Outcome reads = reader.stop();
        Outcome inserts = writer.stop();
        others.row(what, reads.done(), reads.latency(), inserts.done(), inserts.latency());
        return seconds;
    }

    private void speed(String how, int count, double seconds) {
        speeds.row(how, count, seconds, count / seconds);
    }

    private int affordable(int wanted) throws IOException {
        long free = Files.getFileStore(bench.project()).getUsableSpace();
        int count = (int) Math.min(wanted, free / 2 / DISK_BYTES_PER_ROW);
        if (count < wanted) {
            bench.say("only %,d mails, because the disk has %,.0f MiB left".formatted(count, free / MEBIBYTE));
        }
        return count;
    }
}
