package dev.oneshot.local.stack;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** The processes of running services, until the stack is closed. */
final class ServiceProcesses {

    private final Map<Service, ChildProcess> processes = new EnumMap<>(Service.class);
    private boolean closed;

    /**
     * Starts a process.
     *
     * @throws StackException if the stack is closed, by another thread perhaps; no process is started
     */
    synchronized void start(Service service, Supplier<ChildProcess> process) {
        if (closed) {
            throw new StackException(service.label() + " cannot be started in a stack that is closed");
        }
        processes.put(service, process.get());
    }

    synchronized ChildProcess of(Service service) {
        return Objects.requireNonNull(processes.get(service));
    }

    synchronized ChildProcess remove(Service service) {
        return Objects.requireNonNull(processes.remove(service));
    }

    /** Refuses further starts, and returns the processes to be ended. */
    synchronized List<ChildProcess> close() {
        closed = true;
        return List.copyOf(processes.values());
    }
}
