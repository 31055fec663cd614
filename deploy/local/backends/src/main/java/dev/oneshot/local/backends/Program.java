package dev.oneshot.local.backends;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A program of this machine that is run to its end. */
public final class Program {

    private Program() {}

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
}
