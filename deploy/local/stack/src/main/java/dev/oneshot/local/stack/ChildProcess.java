package dev.oneshot.local.stack;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A process of the stack: its output goes line by line, prefixed with its label, to the stack's output, and as it is
 * to a log file of its own.
 */
final class ChildProcess {

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);
    private static final int LINES_KEPT = 15;

    private final String label;
    private final Process process;
    private final Deque<String> lastLines = new ArrayDeque<>();

    private ChildProcess(String label, Process process) {
        this.label = label;
        this.process = process;
    }

    /**
     * Starts it.
     *
     * @param environment all settings, and what it has besides the variables of this process
     * @param output takes each line, from a thread of its own
     */
    static ChildProcess start(
            String label, List<String> command, Map<String, String> environment, Path logs, Consumer<String> output)
            throws IOException {
        Files.createDirectories(logs);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // Settings of the caller are in the given environment, if they are for this process at all.
        builder.environment().keySet().removeIf(name -> name.startsWith(StackSettings.PREFIX));
        builder.environment().putAll(environment);
        ChildProcess child = new ChildProcess(label, builder.start());
        child.process.getOutputStream().close();
        Path log = logs.resolve(label + ".log");
        Thread.ofPlatform()
                .name(label + "-output")
                .daemon()
                .start(() -> child.copyOutput(log, line -> output.accept(label + " | " + line)));
        return child;
    }

    String label() {
        return label;
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Its exit value, once it has one. */
    CompletableFuture<Integer> onExit() {
        return process.onExit().thenApply(Process::exitValue);
    }

    /** Whether one of the last lines begins like this. */
    boolean hasPrinted(String beginning) {
        synchronized (lastLines) {
            return lastLines.stream().anyMatch(line -> line.startsWith(beginning));
        }
    }

    /** The end of its output. */
    List<String> lastLines() {
        synchronized (lastLines) {
            return List.copyOf(lastLines);
        }
    }

    /** Asks it to end, and makes it end if it takes too long. */
    void stop() throws InterruptedException {
        handle().destroy(); // unlike the process's own method, leaves its output open to be read to the end
        if (!process.waitFor(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
            kill();
        }
    }

    /** Ends it at once, as {@code kill -9}. */
    void kill() throws InterruptedException {
        handle().destroyForcibly();
        process.waitFor();
    }

    private void copyOutput(Path log, Consumer<String> output) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                PrintWriter file = new PrintWriter(Files.newBufferedWriter(log), true)) {
            String line = lines.readLine();
            while (line != null) {
                file.println(line);
                output.accept(line);
                synchronized (lastLines) {
                    if (lastLines.size() == LINES_KEPT) {
                        lastLines.removeFirst();
                    }
                    lastLines.addLast(line);
                }
                line = lines.readLine();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot copy the output of " + label, e);
        }
    }
}
