package dev.oneshot.local.bench.system;

import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.StackSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A whole stack on free ports, with data that is gone when it is closed. */
public final class BenchStack implements AutoCloseable {

    private static final String LOOPBACK = "127.0.0.1:";

    private final LocalStack stack;
    private final Path project;
    private final Thread atEnd = new Thread(this::stop);

    private BenchStack(LocalStack stack, Path project) {
        this.stack = stack;
        this.project = project;
    }

    /**
     * Starts one and waits until all of it is ready.
     *
     * @param services settings of the services, as environment variables
     */
    public static BenchStack start(Bench bench, Map<String, String> services) throws IOException {
        bench.say("starting a stack");
        Path state = Files.createTempDirectory("oneshot-bench-");
        StackSettings free = StackSettings.onFreePorts(bench.project(), state);
        StackSettings settings = new StackSettings(
                free.project(),
                state,
                free.ports(),
                bench.settings().heap(),
                bench.settings().durable(),
                new HashMap<>(services),
                false,
                false);
        LocalStack stack = LocalStack.start(settings, _ -> {});
        BenchStack started = new BenchStack(stack, bench.project());
        Runtime.getRuntime().addShutdownHook(started.atEnd);
        return started;
    }

    public int smtpPort() {
        return stack.settings().port(Port.SMTP);
    }

    public int httpPort() {
        return stack.settings().port(Port.HTTP);
    }

    public int managementPort() {
        return stack.settings().port(Port.API_MANAGEMENT);
    }

    public String kafka() {
        return LOOPBACK + stack.settings().port(Port.KAFKA);
    }

    /** What signs address ids, in base64. */
    public String addressKey() {
        return stack.addressKey();
    }

    public String operatorToken() {
        return stack.operatorToken();
    }

    /** A new connection to the database, as its owner. */
    public Connection connect() throws SQLException {
        LocalPostgres database = stack.database();
        return DriverManager.getConnection(database.jdbcUrl(), database.username(), database.password());
    }

    public MeasuredProcess process(Service service) {
        return new MeasuredProcess(stack.process(service));
    }

    /** Takes a service out of the stack. */
    public void end(Service service) throws InterruptedException {
        stack.kill(service);
    }

    /** Puts a service back and waits until it is ready. */
    public void start(Service service) {
        stack.start(service);
        stack.awaitReady(service);
    }

    /** Starts a service that was taken out by another command line, and returns at once. */
    public void start(Service service, List<String> command) {
        stack.start(service, command);
    }

    /** The largest heap of a service, as {@code -Xmx} takes it. */
    public String heap(Service service) {
        return stack.settings().heap(service);
    }

    /** Where a service says how it is. */
    public int managementPort(Service service) {
        return stack.settings().port(service.management());
    }

    /** Starts the server of the ceilings beside the stack, with the stack's keys and broker. */
    public Ceilings ceilings() throws IOException, InterruptedException {
        return Ceilings.start(project, stack.settings().heap(Service.API), kafka(), addressKey());
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atEnd);
        stop();
    }

    private void stop() {
        stack.close();
        try (Stream<Path> files = Files.walk(stack.settings().state())) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + stack.settings().state(), e);
        }
    }
}
