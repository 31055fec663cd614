package dev.oneshot.local.stack;

import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.stack.StackSettings.Option;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.function.Uncheck;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL, Kafka and the four services, each a separate process.
 *
 * <p>If a part dies, the others keep running, and {@link #onDeath()} reports it. Not thread-safe, except {@link
 * #close()}.
 */
public final class LocalStack implements AutoCloseable {

    /** Not the common pool, which has one thread on a machine with two processors. */
    private static final Executor AT_ONCE = Thread::startVirtualThread;

    private static final String KAFKA = "kafka";
    private static final String POSTGRES = "postgres";

    private final StackSettings settings;
    private final Secrets secrets;
    private final Consumer<String> output;
    private final Parts parts;
    private @Nullable LocalPostgres postgres;

    private LocalStack(StackSettings settings, Secrets secrets, Consumer<String> output) {
        this.settings = settings;
        this.secrets = secrets;
        this.output = output;
        this.parts = new Parts(settings, output);
    }

    /**
     * Starts all parts and waits until they are ready. Interrupting the thread cancels the start.
     *
     * @param output receives each line of the stack and its parts, from many threads
     * @throws StackException if a part cannot start; the others are then stopped
     */
    public static LocalStack start(StackSettings settings, Consumer<String> output) {
        try {
            Files.createDirectories(settings.state());
            Files.createDirectories(settings.archives());
            return new LocalStack(settings, Secrets.of(settings.state(), System.getenv()), output).startAll();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep state in " + settings.state(), e);
        }
    }

    /** Deletes the data of a stack that does not run. Its secrets stay. */
    static void deleteData(Path state) throws IOException {
        for (String part : List.of(POSTGRES, KAFKA)) {
            FileUtils.deleteDirectory(state.resolve(part).toFile());
        }
    }

    /** Completes with a message when a part ends that was not stopped. */
    public CompletableFuture<String> onDeath() {
        return parts.onDeath();
    }

    public StackSettings settings() {
        return settings;
    }

    public int port(Port port) {
        return settings.port(port);
    }

    /** The database of this stack. */
    public LocalPostgres database() {
        return Objects.requireNonNull(postgres);
    }

    /** The process of a running service. */
    public ProcessHandle process(Service service) {
        return parts.of(service.label()).handle();
    }

    /** The processes of PostgreSQL and Kafka, by name. */
    public Map<String, ProcessHandle> backends() {
        return new TreeMap<>(Map.of(
                KAFKA, parts.of(KAFKA).handle(),
                POSTGRES, database().process().orElseThrow()));
    }

    /** The key that signs the address ids of this stack, in base64. */
    public String addressKey() {
        return secrets.addressKey();
    }

    /** The bearer token of this stack's operator API. */
    public String operatorToken() {
        return secrets.operatorToken();
    }

    /** Creates an account on a plan through the operator API. */
    public StackAccount createAccount(String name, String plan) {
        return StackAccount.create(port(Port.API_MANAGEMENT), operatorToken(), name, plan);
    }

    /** Starts a service and returns at once; see {@link #awaitReady}. */
    public void start(Service service) {
        start(service, command(service));
    }

    /**
     * Starts a service with another command line, and returns at once.
     *
     * @throws StackException if the stack is closed
     */
    public void start(Service service, List<String> command) {
        parts.start(service.label(), command, environment(service));
    }

    /** The command line of a service. */
    public List<String> command(Service service) {
        return new CommandLine(settings).of(service);
    }

    /** Waits until a service reports that it is ready. */
    public void awaitReady(Service service) {
        parts.of(service.label()).awaitReady(() -> Health.isReady(port(service.management())), output);
    }

    /** Kills a service, as {@code kill -9}. It is not restarted. */
    public void kill(Service service) {
        parts.remove(service.label()).kill();
    }

    /** Stops a service gracefully. */
    public void stop(Service service) {
        stop(parts.remove(service.label()));
    }

    /** Kills the broker, as {@code kill -9}. */
    public void killKafka() {
        parts.remove(KAFKA).kill();
    }

    /** Starts the broker and waits until it accepts connections. */
    public void startKafka() {
        List<String> command = new CommandLine(settings)
                .kafka(List.of(settings.state().resolve(KAFKA).toString(), Integer.toString(port(Port.KAFKA))));
        ChildProcess broker = parts.start(KAFKA, command, Map.of());
        broker.awaitReady(() -> broker.lastLines().contains(LocalKafka.READY), output);
    }

    /** Stops the services, then Kafka and PostgreSQL. Data is kept, unless the stack is temporary. */
    @Override
    public synchronized void close() {
        // The interrupt that asks for a stop must not end the wait for parts.
        var _ = Thread.interrupted();
        List<ChildProcess> running = parts.close();
        running.stream()
                .filter(part -> !part.label().equals(KAFKA))
                .map(service -> CompletableFuture.runAsync(() -> stop(service), AT_ONCE))
                .toList()
                .forEach(CompletableFuture::join);
        running.stream().filter(part -> part.label().equals(KAFKA)).forEach(this::stop);
        if (postgres != null) {
            postgres.close();
            RecordedProcess.forget(settings.state(), POSTGRES);
        }
        if (settings.has(Option.TEMPORARY)) {
            Uncheck.accept(FileUtils::deleteDirectory, settings.state().toFile());
        }
    }

    private LocalStack startAll() {
        try {
            CompletableFuture<Void> database = CompletableFuture.runAsync(this::startPostgres, AT_ONCE);
            try {
                startKafka();
            } finally {
                database.join();
            }
            ChildProcess.requireNotCancelled();
            for (Service service : Service.values()) {
                start(service);
            }
            for (Service service : Service.values()) {
                awaitReady(service);
            }
            return this;
        } catch (RuntimeException e) {
            close();
            // Checks again: the port may have been taken since, and one line is clearer than a service's log.
            PortCheck.requireFree(settings);
            throw e instanceof CompletionException && e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private void startPostgres() {
        LocalPostgres started = LocalPostgres.start(new LocalPostgres.Settings(
                settings.state().resolve(POSTGRES),
                settings.installations(),
                port(Port.POSTGRES),
                secrets.databasePassword(),
                settings.has(Option.DURABLE)));
        postgres = started;
        started.ensureUser(ServiceEnvironment.EXPIRY_USER, secrets.expiryPassword());
        started.process().ifPresent(process -> {
            RecordedProcess.write(settings.state(), POSTGRES, process);
            Path log = settings.state().resolve(POSTGRES).resolve("postgresql.log");
            var _ = process.onExit().thenRun(() -> parts.died(POSTGRES, "ended; see " + log));
        });
    }

    private void stop(ChildProcess process) {
        process.stop();
        RecordedProcess.forget(settings.state(), process.label());
    }

    /** The environment variables that connect a service with the stack. */
    public Map<String, String> environment(Service service) {
        return new ServiceEnvironment(settings, secrets).of(service);
    }
}
