package dev.oneshot.fuzz;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The command {@code ./oneshot fuzz}. */
public final class Main {

    private static final int SECONDS_DEFAULT = 120;
    private static final int FOUND = 1;
    private static final int MISUSED = 2;

    private Main() {}

    /**
     * Fuzzes one target after the other.
     *
     * @param arguments the root of the source tree; then a target, none for all; then {@code --seconds} and a number for
     *     each target
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path project = Path.of(arguments[0]).toAbsolutePath().normalize();
        List<Target> targets = List.of(Target.values());
        int seconds = SECONDS_DEFAULT;
        try {
            int next = 1;
            while (next < arguments.length) {
                if (arguments[next].equals("--seconds") && next + 1 < arguments.length) {
                    seconds = Integer.parseInt(arguments[next + 1]);
                    next += 2;
                } else {
                    targets = List.of(target(arguments[next]));
                    next++;
                }
            }
            if (seconds < 1) {
                throw new IllegalArgumentException("--seconds must be at least 1");
            }
        } catch (IllegalArgumentException e) {
            System.err.println(
                    "oneshot: " + e.getMessage() + "\nusage: ./oneshot fuzz [parser|session] [--seconds NUMBER]");
            System.exit(MISUSED);
        }
        System.exit(fuzz(project, targets, Duration.ofSeconds(seconds)));
    }

    private static Target target(String label) {
        return Arrays.stream(Target.values())
                .filter(target -> target.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such target: " + label));
    }

    private static int fuzz(Path project, List<Target> targets, Duration duration)
            throws IOException, InterruptedException {
        int status = 0;
        for (Target target : targets) {
            FuzzRun run = FuzzRun.on(
                            target, project, project.resolve(".oneshot/fuzz").resolve(target.label()))
                    .during(duration);
            System.out.println("fuzzing the " + target.label() + " for " + duration.toSeconds() + " s");
            if (!run.findsNothing(ProcessBuilder.Redirect.INHERIT)) {
                status = FOUND;
                System.err.println("oneshot: a finding on the " + target.label() + "; inputs:");
                run.found().forEach(file -> System.err.println("  " + file));
                System.err.println("make it a fixture in " + target.fixtures());
            }
        }
        return status;
    }
}
