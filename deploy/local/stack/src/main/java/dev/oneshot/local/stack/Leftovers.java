package dev.oneshot.local.stack;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Ends processes that a killed stack left running. */
public final class Leftovers {

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(15);

    private Leftovers() {}

    /**
     * Ends every recorded process except the stack itself.
     *
     * @return how many were ended
     */
    public static int end(Path state, String stack, Consumer<String> output) throws IOException, InterruptedException {
        int ended = 0;
        for (RecordedProcess left : RecordedProcess.readAll(state)) {
            if (left.label().equals(stack)) {
                continue;
            }
            ProcessHandle process = left.process();
            output.accept("ending " + left.label() + " (process " + process.pid() + "), left behind by a killed stack");
            process.destroy();
            try {
                process.onExit().get(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException e) {
                process.destroyForcibly();
            }
            RecordedProcess.forget(state, left.label());
            ended++;
        }
        return ended;
    }
}
