package dev.oneshot.local.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    static Path directory(Path state) {
        return state.resolve("run");
    }

    static void write(Path state, String label, ProcessHandle process) throws IOException {
        Files.createDirectories(directory(state));
        Files.writeString(directory(state).resolve(label + SUFFIX), process.pid() + " " + startedAt(process) + "\n");
    }

    static void forget(Path state, String label) throws IOException {
        Files.deleteIfExists(directory(state).resolve(label + SUFFIX));
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
