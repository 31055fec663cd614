package dev.oneshot.local.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What every benchmark is given.
 *
 * @param project the root of the source tree, with everything packaged
 */
public record Bench(Path project, Settings settings, Report report) {

    private static final List<String> SYSTEM_PROGRAMS = List.of("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin");

    /** A program of this machine that a benchmark compares with, if it is installed. */
    public static Optional<Path> program(String name) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(Stream.of(path.split(":", -1)), SYSTEM_PROGRAMS.stream())
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, name))
                .filter(file -> file.toFile().canExecute())
                .findFirst();
    }

    /** Tells whoever waits what is being done. */
    public void say(String line) {
        System.out.println("bench: " + line);
    }
}
