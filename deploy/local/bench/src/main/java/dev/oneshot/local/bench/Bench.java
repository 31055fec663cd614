package dev.oneshot.local.bench;

import java.nio.file.Path;

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
}
