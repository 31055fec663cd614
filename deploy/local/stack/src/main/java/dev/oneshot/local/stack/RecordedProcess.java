package dev.oneshot.local.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A process of the stack, recorded in {@code .oneshot/run}, so that processes of a killed stack can be found. Process
 * ids are reused, so the start time must match too.
 *
 * @param label of the part
 * @param process the running process
 */
public record RecordedProcess(String label, ProcessHandle process) {

    private static final String SUFFIX = ".pid";
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(15);

    static Path directory(Path state) {
        return state.resolve("run");
    }

    static void write(Path state, String label, ProcessHandle process) {
        try {
            Files.createDirectories(directory(state));
            Files.writeString(
                    directory(state).resolve(label + SUFFIX), process.pid() + " " + startedAt(process) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remember the process of " + label, e);
        }
    }

    static void forget(Path state, String label) {
        try {
            Files.deleteIfExists(directory(state).resolve(label + SUFFIX));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot forget the process of " + label, e);
        }
    }

    /** The process of this label, if it still runs. */
    public static Optional<RecordedProcess> read(Path state, String label) throws IOException {
        return read(directory(state).resolve(label + SUFFIX));
    }

    /** All that still run. */
    public static List<RecordedProcess> readAll(Path state) throws IOException {
        List<RecordedProcess> running = new ArrayList<>();
        if (Files.isDirectory(directory(state))) {
            try (Stream<Path> files = Files.list(directory(state))) {
                for (Path file : files.filter(f -> f.toString().endsWith(SUFFIX))
                        .sorted()
                        .toList()) {
                    read(file).ifPresent(running::add);
                }
            }
        }
        return running;
    }

    /**
     * Ends all that a killed stack left running, but not the stack itself.
     *
     * @return how many were ended
     */
    public static int endLeftovers(Path state, String stack, Consumer<String> output)
            throws IOException, InterruptedException {
        int ended = 0;
        for (RecordedProcess left : readAll(state)) {
            if (!left.label.equals(stack)) {
                output.accept("ending " + left.label + " (process " + left.process.pid()
                        + "), left behind by a killed stack");
                left.end(STOP_TIMEOUT);
                forget(state, left.label);
                ended++;
            }
        }
        return ended;
    }

    /** Asks it to end, and kills it after a timeout; returns whether it ended by itself. */
    boolean end(Duration timeout) throws InterruptedException {
        process.destroy();
        try {
            process.onExit().get(timeout.toSeconds(), TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            process.destroyForcibly();
            return false;
        }
    }

    private static Optional<RecordedProcess> read(Path file) throws IOException {
        String[] content;
        try {
            content = Files.readString(file).strip().split(" ", -1);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        if (content.length != 2 || !content[0].matches("[0-9]{1,18}")) {
            return Optional.empty();
        }
        String label = file.getFileName().toString().replace(SUFFIX, "");
        return ProcessHandle.of(Long.parseLong(content[0]))
                .filter(ProcessHandle::isAlive)
                .filter(process -> startedAt(process).equals(content[1]))
                .map(process -> new RecordedProcess(label, process));
    }

    private static String startedAt(ProcessHandle process) {
        return process.info().startInstant().map(Object::toString).orElse("unknown");
    }
}
