package dev.oneshot.local.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * One run.
 *
 * @param project the root of the source tree, with everything packaged
 */
public record Bench(Path project, Settings settings) {

    /** Prints the current step of the run. */
    public void say(String line) {
        System.out.println("bench: " + line);
    }

    /** Prints a result. */
    public void add(Table table) {
        System.out.println("\n" + table.text());
    }

    /** Deletes a directory with all its files. */
    public static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + directory, e);
        }
    }
}
