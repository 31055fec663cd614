package dev.oneshot.local.bench.expiry;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.system.BenchStack;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The same mails gone in three ways: by the packaged sweep, by a bare DELETE, and with their partition. */
public final class ExpiryBenchmark {

    // Row, TOAST and write-ahead log, and room to breathe.
    private static final long DISK_A_ROW = 60_000;
    private static final double MEBIBYTE = 1024 * 1024;
    private static final double NANOS_IN_SECOND = 1e9;

    private final Bench bench;
    private final BenchStack stack;
    private final MailRows rows;
    private final Bystanders bystanders;
    private final Table speeds = new Table("Deleting mails of 10 KB");
    private final Table others = new Table("Others meanwhile, at fixed rates");

    private ExpiryBenchmark(Bench bench, BenchStack stack) {
        this.bench = bench;
        this.stack = stack;
        this.rows = new MailRows(stack);
        this.bystanders = new Bystanders(stack, rows);
    }

    /** Runs it on a stack of its own. */
    public static void run(Bench bench) throws Exception {
        // The sweep shall have the rows of the present hour, and nothing else drop it meanwhile.
        try (BenchStack stack = BenchStack.start(bench, Map.of("ONESHOT_EXPIRY_PARTITION_DROP_DELAY", "24h"))) {
            for (Service service : List.of(Service.EXPIRY, Service.INGEST, Service.MAILER)) {
                stack.end(service);
            }
            new ExpiryBenchmark(bench, stack).measure();
        }
    }

    private void measure() throws Exception {
        int count = affordable(bench.settings().rows());
        int half = count / 2;
        rows.prepare();
        bystanders.prepare();
        observe("nothing", () -> {
            Thread.sleep(bench.settings().sustain());
            return null;
        });

        bench.say("loading %,d mails for a bare DELETE".formatted(half));
        rows.load(half, false);
        double bare = observe("bare DELETE by index", () -> seconds(() -> rows.deleteByIndex(half)));
        speed("bare DELETE by index, batches of 500", half, bare);

        bench.say("loading %,d mails for the sweep".formatted(half));
        double swept = sweep(half);
        speed("sweep of expiry-service", half, swept);
        stack.end(Service.EXPIRY);

        bench.say("loading %,d mails for their partition".formatted(count));
        rows.load(count, true);
        long octets = rows.lastHourBytes();
        Drop drop = observe("drop of a partition", this::drop);
        speed("drop of their partition, until it is gone for all", count, drop.goneSeconds());
        speed("drop of their partition, until its files are removed", count, drop.removedSeconds());
        bench.report()
                .add(speeds.note("%.0f MiB of the partition given back to the disk in %.2f s; %.0f MiB of it left"
                                .formatted(octets / MEBIBYTE, drop.removedSeconds(), rows.lastHourBytes() / MEBIBYTE))
                        .note("Sweep to bare DELETE: %.2f (aim 0.25). Aim of the drop: a million in under a second."
                                .formatted(bare / swept)));
        bench.report().add(others.note("Aim: the readers' p99 less than doubled."));
    }

    private record Drop(double goneSeconds, double removedSeconds) {}

    /** PostgreSQL removes the files after it has given the locks back. */
    private Drop drop() throws Exception {
        try (ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Double> gone = thread.submit(() -> seconds(rows::awaitLastHourGone));
            double removed = seconds(rows::dropLastHour);
            return new Drop(gone.get(), removed);
        }
    }

    /** The service waits already; all mails come into its sight at once. */
    private double sweep(int count) throws Exception {
        stack.start(Service.EXPIRY);
        try (Connection unseen = rows.loadUnseen(count)) {
            return observe(
                    "sweep",
                    () -> seconds(() -> {
                        unseen.commit();
                        rows.awaitSwept();
                    }));
        }
    }

    /** Does something while others read and write; answers what it answers. */
    private <T> T observe(String what, Callable<T> action) throws Exception {
        bench.say(what);
        Bystanders.Watch watch = bystanders.watch();
        T result;
        try {
            result = action.call();
        } finally {
            watch.stop();
        }
        others.row(
                "while", what,
                "reads", watch.reads().count(),
                "read p50 ms", watch.reads().percentileMillis(50),
                "read p99 ms", watch.reads().percentileMillis(99),
                "inserts", watch.inserts().count(),
                "insert p50 ms", watch.inserts().percentileMillis(50),
                "insert p99 ms", watch.inserts().percentileMillis(99));
        return result;
    }

    private void speed(String how, int count, double seconds) {
        speeds.row("how", how, "mails", count, "seconds", seconds, "mails/s", count / seconds);
    }

    @FunctionalInterface
    private interface Action {
        void run() throws Exception;
    }

    private static double seconds(Action action) throws Exception {
        long begin = System.nanoTime();
        action.run();
        return (System.nanoTime() - begin) / NANOS_IN_SECOND;
    }

    private int affordable(int wanted) throws IOException {
        long free = Files.getFileStore(bench.project()).getUsableSpace();
        int count = (int) Math.min(wanted, free / 2 / DISK_A_ROW);
        if (count < wanted) {
            bench.say("only %,d mails, as the disk has %,d MiB left".formatted(count, free / (1024 * 1024)));
        }
        return count;
    }
}
