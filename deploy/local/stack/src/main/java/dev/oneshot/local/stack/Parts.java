package dev.oneshot.local.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The running processes of a stack, each recorded and watched, until the stack is closed. */
final class Parts {

    private final StackSettings settings;
    private final Consumer<String> output;
    private final Map<String, ChildProcess> running = new LinkedHashMap<>();
    private final CompletableFuture<String> death = new CompletableFuture<>();
    private boolean closed;

    Parts(StackSettings settings, Consumer<String> output) {
        this.settings = settings;
        this.output = output;
    }

    /**
     * Starts a process.
     *
     * @throws StackException if the stack is closed; then no process is started
     */
    synchronized ChildProcess start(String label, List<String> command, Map<String, String> environment) {
        if (closed) {
            throw new StackException(label + " cannot be started in a stack that is closed");
        }
        try {
            ChildProcess child = ChildProcess.start(label, command, environment, settings.logs(), output);
            RecordedProcess.write(settings.state(), label, child.handle());
            running.put(label, child);
            var _ = child.onExit().thenAccept(status -> {
                if (isRunning(child)) {
                    died(label, "ended with status " + status + ":\n" + String.join("\n", child.lastLines()));
                }
            });
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + label, e);
        }
    }

    synchronized ChildProcess of(String label) {
        return Objects.requireNonNull(running.get(label));
    }

    /** Forgets a process that is to be ended. */
    synchronized ChildProcess remove(String label) {
        return Objects.requireNonNull(running.remove(label));
    }

    /** Refuses further starts, and returns the processes to be ended. */
    synchronized List<ChildProcess> close() {
        closed = true;
        List<ChildProcess> left = List.copyOf(running.values());
        running.clear();
        return left;
    }

    /** Reports a part that ended by itself. */
    synchronized void died(String label, String how) {
        if (!closed) {
            death.complete(label + " " + how);
        }
    }

    CompletableFuture<String> onDeath() {
        return death;
    }

    private synchronized boolean isRunning(ChildProcess child) {
        return running.containsValue(child);
    }
}
