package dev.oneshot.local.backends;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program of this machine that is run to its end. */
public final class Program {

    /** The exit code of a program that took too long. */
    public static final int TIMED_OUT = -1;

    private Program() {}

    /**
     * The result of a program.
     *
     * @param exitCode or {@link #TIMED_OUT}
     * @param out its output; a character is a byte
     * @param err its errors, likewise
     */
    public record Result(int exitCode, String out, String err) {

        /** The output with the errors after it. */
        public String all() {
            return out + err;
        }
    }

    /**
     * Runs a program.
     *
     * @return its output
     * @throws IllegalStateException with its output, if it fails
     * @throws IOException if it cannot be started
     */
    public static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (Reader reader = process.inputReader(StandardCharsets.UTF_8)) {
            String output = reader.readAllAsString();
            if (process.onExit().join().exitValue() != 0) {
                throw new IllegalStateException(String.join(" ", command) + " failed: " + output);
            }
            return output;
        }
    }

    /**
     * Runs a program, and ends it if it takes too long.
     *
     * @param directory the working directory, which also gets the output
     * @param environment further variables
     * @throws IOException if it cannot be started
     */
    public static Result run(Path directory, Map<String, String> environment, Duration timeout, List<String> command)
            throws IOException, InterruptedException {
        Path out = directory.resolve("out.log");
        Path err = directory.resolve("err.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = process.waitFor(timeout.toSeconds(), TimeUnit.SECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return new Result(
                ended ? process.exitValue() : TIMED_OUT,
                Files.readString(out, StandardCharsets.ISO_8859_1),
                Files.readString(err, StandardCharsets.ISO_8859_1));
    }
}
