package dev.oneshot.local.stack;

import java.io.IOException;
import java.util.function.Consumer;

/** The table of {@code ./oneshot status}. */
final class Status {

    private static final int WELL = 0;
    private static final int UNWELL = 1;
    private static final int NOTHING_RUNS = 3;

    private final StackSettings settings;
    private int running;
    private int ready;
    private int parts;

    Status(StackSettings settings) {
        this.settings = settings;
    }

    /** Prints a line for each part. Returns 0 if all are ready, 1 if only some are, 3 if none runs. */
    int print(Consumer<String> output) throws IOException {
        output.accept("%-10s %-8s %-6s %s".formatted("PART", "PROCESS", "PORT", "HEALTH"));
        line("postgres", Port.POSTGRES, Health.accepts(settings.port(Port.POSTGRES)), output);
        line("kafka", Port.KAFKA, Health.accepts(settings.port(Port.KAFKA)), output);
        for (Service service : Service.values()) {
            line(service.label(), service.management(), Health.isReady(settings.port(service.management())), output);
        }
        if (running > 0 && RecordedProcess.read(settings.state(), Main.STACK).isEmpty()) {
            output.accept("the stack itself was killed; stop the rest with ./oneshot down, or start again");
            return UNWELL;
        }
        if (running == 0) {
            output.accept("nothing is running; start it with ./oneshot up");
            return NOTHING_RUNS;
        }
        return ready == parts ? WELL : UNWELL;
    }

    private void line(String label, Port port, boolean healthy, Consumer<String> output) throws IOException {
        String pid = RecordedProcess.read(settings.state(), label)
                .map(recorded -> Long.toString(recorded.process().pid()))
                .orElse("-");
        boolean runs = !pid.equals("-");
        String health = "not running";
        if (runs) {
            health = healthy ? "ready" : "not ready";
        }
        parts++;
        running += runs ? 1 : 0;
        ready += runs && healthy ? 1 : 0;
        output.accept("%-10s %-8s %-6d %s".formatted(label, pid, settings.port(port), health));
    }
}
