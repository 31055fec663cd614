package dev.oneshot.local.bench.system;

import dev.oneshot.local.backends.TemporaryBackends;
import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.RecordedProcess;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.StackSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A whole stack on free ports, whose data is deleted when it is closed. */
public final class BenchStack implements AutoCloseable {

    private final LocalStack stack;
    private final Thread atEnd = new Thread(this::stop);

    private BenchStack(LocalStack stack) {
        this.stack = stack;
    }

    /**
     * Starts a stack and waits until all of it is ready.
     *
     * @param services settings of the services, as environment variables
     */
    public static BenchStack start(Bench bench, Map<String, String> services) throws IOException {
        bench.say("starting a stack");
        Path state = Files.createTempDirectory("oneshot-bench-");
        StackSettings free = StackSettings.onFreePorts(bench.project(), state);
        BenchStack started = new BenchStack(LocalStack.start(
                new StackSettings(free.project(), state, free.ports(), null, true, services, false, false, false),
                _ -> {}));
        Runtime.getRuntime().addShutdownHook(started.atEnd);
        return started;
    }

    public int smtpPort() {
        return stack.settings().port(Port.SMTP);
    }

    public int httpPort() {
        return stack.settings().port(Port.HTTP);
    }

    public int managementPort(Service service) {
        return stack.settings().port(service.management());
    }

    /** The key that signs address ids, in base64. */
    public String addressKey() {
        return stack.addressKey();
    }

    public String operatorToken() {
        return stack.operatorToken();
    }

    /** Opens a connection to the database, as its owner. */
    public Connection connect() throws SQLException {
        return stack.database().connect();
    }

    public MeasuredProcess process(Service service) {
        return new MeasuredProcess(stack.process(service));
    }

    /** The processes of PostgreSQL and Kafka, by name. */
    public Map<String, MeasuredProcess> backends() throws IOException {
        Map<String, MeasuredProcess> backends = new LinkedHashMap<>();
        for (RecordedProcess recorded : RecordedProcess.readAll(stack.settings().state())) {
            if (List.of("kafka", "postgres").contains(recorded.label())) {
                backends.put(recorded.label(), new MeasuredProcess(recorded.process()));
            }
        }
        return backends;
    }

    /** Ends a service. */
    public void end(Service service) throws InterruptedException {
        stack.kill(service);
    }

    /** Starts an ended service again and waits until it is ready. */
    public void start(Service service) {
        stack.start(service);
        stack.awaitReady(service);
    }

    /** Starts an ended service with another command line, without waiting. */
    public void start(Service service, List<String> command) {
        stack.start(service, command);
    }

    /** The largest heap of a service, as {@code -Xmx} takes it. */
    public String heap(Service service) {
        return stack.settings().heap(service);
    }

    /** Starts the server of the ceilings with the stack's keys and broker. */
    public Ceilings ceilings() throws IOException, InterruptedException {
        String kafka = "127.0.0.1:" + stack.settings().port(Port.KAFKA);
        return Ceilings.start(stack.settings().project(), heap(Service.API), kafka, addressKey());
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atEnd);
        stop();
    }

    private void stop() {
        stack.close();
        TemporaryBackends.delete(stack.settings().state());
    }
}
