package dev.oneshot.local.stack;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A process of the stack. Its output goes to a log file, and line by line, prefixed with its label, to the stack's
 * output.
 */
public final class ChildProcess {

    /** A system property, as a machine that builds images may be slow. */
    private static final Duration READY_TIMEOUT =
            Duration.ofSeconds(Integer.getInteger("oneshot.ready-timeout-seconds", 300));

    private static final Duration PROGRESS_EVERY = Duration.ofSeconds(5);
    private static final Duration CHECK_EVERY = Duration.ofMillis(100);
    /** A system property too. A JVM that ends may write an archive of its classes, for 20 s on a slow machine. */
    private static final Duration STOP_TIMEOUT =
            Duration.ofSeconds(Integer.getInteger("oneshot.stop-timeout-seconds", 60));

    private static final int LINES_KEPT = 15;

    private final String label;
    private final Process process;
    private final Path log;
    private final Deque<String> lastLines = new ConcurrentLinkedDeque<>();

    private ChildProcess(String label, Process process, Path log) {
        this.label = label;
        this.process = process;
        this.log = log;
    }

    /**
     * Starts a process.
     *
     * @param environment all settings, and variables in addition to those of this process
     * @param output receives each line, on its own thread
     */
    public static ChildProcess start(
            String label, List<String> command, Map<String, String> environment, Path logs, Consumer<String> output)
            throws IOException {
        Files.createDirectories(logs);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // The given environment has the settings that are meant for this process.
        builder.environment().keySet().removeIf(name -> name.startsWith(StackSettings.PREFIX));
        builder.environment().putAll(environment);
        ChildProcess child = new ChildProcess(label, builder.start(), logs.resolve(label + ".log"));
        child.process.getOutputStream().close();
        Thread.ofPlatform()
                .name(label + "-output")
                .daemon()
                .start(() -> child.copyOutput(line -> output.accept(label + " | " + line)));
        return child;
    }

    String label() {
        return label;
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Its exit value. */
    public CompletableFuture<Integer> onExit() {
        return process.onExit().thenApply(Process::exitValue);
    }

    /** The end of its output. */
    public List<String> lastLines() {
        return List.copyOf(lastLines);
    }

    /**
     * Waits until the process is ready, and reports progress.
     *
     * @throws StackException if it ends, is not ready in time (five minutes by default), or the thread is interrupted
     */
    public void awaitReady(BooleanSupplier ready, Consumer<String> progress) {
        long start = System.nanoTime();
        long reported = start;
        while (!ready.getAsBoolean()) {
            requireNotCancelled();
            if (!isAlive()) {
                throw new StackException(label + " did not start:\n" + String.join("\n", lastLines()));
            }
            long now = System.nanoTime();
            if (now - start > READY_TIMEOUT.toNanos()) {
                throw new StackException(label + " was not ready after " + READY_TIMEOUT.toSeconds() + " s; see " + log
                        + ":\n" + String.join("\n", lastLines()));
            }
            if (now - reported > PROGRESS_EVERY.toNanos()) {
                reported = now;
                progress.accept("  waiting for " + label + ", " + TimeUnit.NANOSECONDS.toSeconds(now - start) + " s");
            }
            LockSupport.parkNanos(CHECK_EVERY.toNanos());
        }
        progress.accept("  " + label + " is ready");
    }

    /** Clears the interruption, so that a stop can wait for the started parts. */
    static void requireNotCancelled() {
        if (Thread.interrupted()) {
            throw new StackException("the start was cancelled");
        }
    }

    /** Asks it to end, and kills it after a timeout. */
    public void stop() {
        // process.destroy() would close the output before it is read to the end.
        new RecordedProcess(label, handle()).end(STOP_TIMEOUT);
        process.onExit().join();
    }

    /** Kills it, as {@code kill -9}. */
    public void kill() {
        handle().destroyForcibly();
        process.onExit().join();
    }

    private void copyOutput(Consumer<String> output) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                PrintWriter file = new PrintWriter(Files.newBufferedWriter(log), true)) {
            lines.lines().forEach(line -> {
                file.println(line);
                output.accept(line);
                lastLines.addLast(line);
                if (lastLines.size() > LINES_KEPT) {
                    lastLines.removeFirst();
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot copy the output of " + label, e);
        }
    }
}
