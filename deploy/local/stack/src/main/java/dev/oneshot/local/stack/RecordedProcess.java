package dev.oneshot.local.stack;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.function.Uncheck;

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
        File file = directory(state).resolve(label + SUFFIX).toFile();
        Uncheck.run(() -> FileUtils.writeStringToFile(file, record(process), StandardCharsets.UTF_8));
    }

    static void forget(Path state, String label) {
        Uncheck.apply(Files::deleteIfExists, directory(state).resolve(label + SUFFIX));
    }

    /** The process of this label, if it still runs. */
    public static Optional<RecordedProcess> read(Path state, String label) throws IOException {
        try {
            String recorded = Files.readString(directory(state).resolve(label + SUFFIX));
            return ProcessHandle.allProcesses()
                    .filter(process -> record(process).equals(recorded))
                    .findFirst()
                    .map(process -> new RecordedProcess(label, process));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** All that still run, in reverse order of their start: services end before PostgreSQL, which waits for its clients. */
    public static List<RecordedProcess> readAll(Path state) throws IOException {
        List<RecordedProcess> running = new ArrayList<>();
        String[] files = directory(state).toFile().list((_, name) -> name.endsWith(SUFFIX));
        for (String file : files == null ? new String[0] : files) {
            read(state, file.replace(SUFFIX, "")).ifPresent(running::add);
        }
        running.sort(Comparator.comparing(RecordedProcess::started).reversed());
        return running;
    }

    /**
     * Ends all that a killed stack left running, but not the stack itself.
     *
     * @return how many were ended
     */
    public static int endLeftovers(Path state, String stack, Consumer<String> output) throws IOException {
        int ended = 0;
        for (RecordedProcess left : readAll(state)) {
            if (!left.label.equals(stack)) {
                output.accept("ending " + left.label + " (process " + left.pid() + "), left behind by a killed stack");
                left.end(STOP_TIMEOUT);
                forget(state, left.label);
                ended++;
            }
        }
        return ended;
    }

    private Instant started() {
        return process.info().startInstant().orElse(Instant.MIN);
    }

    String pid() {
        return Long.toString(process.pid());
    }

    /** Asks it to end, and kills it after a timeout; returns whether it ended by itself. */
    boolean end(Duration timeout) {
        process.destroy();
        process.onExit()
                .completeOnTimeout(process, timeout.toSeconds(), TimeUnit.SECONDS)
                .join();
        boolean ended = !process.isAlive();
        process.destroyForcibly();
        return ended;
    }

    private static String record(ProcessHandle process) {
        return process.pid() + " "
                + process.info().startInstant().map(Object::toString).orElse("unknown") + "\n";
    }
}
