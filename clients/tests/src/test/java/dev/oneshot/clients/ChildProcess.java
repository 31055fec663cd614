package dev.oneshot.clients;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a process has left.
 *
 * @param exitCode or {@link #TIMED_OUT}
 * @param out its output; a character is a byte
 */
record ChildProcess(int exitCode, String out, String err) {

    static final int TIMED_OUT = -1;

    /**
     * Runs a command, and ends it if it takes too long.
     *
     * @param directory the working directory, which also gets the output
     * @param environment further variables
     */
    static ChildProcess run(Path directory, Map<String, String> environment, Duration timeout, List<String> command)
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
        return new ChildProcess(
                ended ? process.exitValue() : TIMED_OUT,
                Files.readString(out, StandardCharsets.ISO_8859_1),
                Files.readString(err, StandardCharsets.ISO_8859_1));
    }

    /** The output with the errors behind it. */
    String all() {
        return out + err;
    }
}
