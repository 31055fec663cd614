package dev.oneshot.endtoend;

import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.stack.ChildProcess;
import dev.oneshot.local.stack.Health;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Service;
import dev.oneshot.testing.Metrics;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A second process of a service, in addition to the stack's, on other ports. */
final class Replica implements AutoCloseable {

    private static final AtomicInteger STARTED = new AtomicInteger(1);

    private final LocalStack stack;
    private final Service service;
    private final List<String> settings;
    private final String label;
    private final int port = LoopbackPorts.free();
    private final int managementPort = LoopbackPorts.free();
    private ChildProcess process;

    private Replica(LocalStack stack, Service service, List<String> settings) throws IOException {
        this.stack = stack;
        this.service = service;
        this.settings = settings;
        this.label = service.label() + "-" + STARTED.incrementAndGet();
        this.process = launch();
    }

    /**
     * Starts it and waits until it is ready.
     *
     * @param settings further environment variables, each {@code NAME=value}
     */
    static Replica of(LocalStack stack, Service service, String... settings) throws IOException {
        return new Replica(stack, service, List.of(settings));
    }

    /** The port of REST or SMTP. */
    int port() {
        return port;
    }

    /** The port of health and metrics. */
    int managementPort() {
        return managementPort;
    }

    Metrics metrics() {
        return new Metrics(managementPort);
    }

    /** A new account, created at this api-service. */
    Account account(String plan) {
        return Account.create(new Operator(managementPort, stack.operatorToken()), port, plan, "replica");
    }

    /** Its output so far. */
    String log() throws IOException {
        return Files.readString(stack.settings().logs().resolve(label + ".log"));
    }

    long pid() {
        return process.handle().pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Kills it, as {@code kill -9}. */
    void kill() {
        process.kill();
    }

    /** Asks it to end, as Kubernetes does, without waiting. */
    CompletableFuture<Integer> terminate() {
        process.handle().destroy();
        return process.onExit();
    }

    /** Asks it to end, and waits for the end. */
    void stop() {
        process.stop();
    }

    /** Starts it again on the same port after {@link #stop} or {@link #kill}, and waits until it is ready. */
    void restart() throws IOException {
        process = launch();
    }

    @Override
    public void close() {
        process.stop();
    }

    private ChildProcess launch() throws IOException {
        Map<String, String> environment = new HashMap<>(stack.environment(service));
        environment.put("ONESHOT_MANAGEMENT_PORT", Integer.toString(managementPort));
        environment.put("ONESHOT_HTTP_PORT", Integer.toString(port));
        environment.put("ONESHOT_SMTP_PORT", Integer.toString(port));
        for (String setting : settings) {
            String[] nameAndValue = setting.split("=", 2);
            environment.put(nameAndValue[0], nameAndValue[1]);
        }
        ChildProcess started = ChildProcess.start(
                label, stack.command(service), environment, stack.settings().logs(), line -> {});
        started.awaitReady(() -> Health.isReady(managementPort), _ -> {});
        return started;
    }
}
