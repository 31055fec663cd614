package dev.oneshot.local.stack;

import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.LocalPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL, Kafka and the four services, each a separate process.
 *
 * <p>If a part dies, the others keep running, and {@link #onDeath()} reports it. Not thread-safe, except {@link
 * #close()}.
 */
public final class LocalStack implements AutoCloseable {

    private static final Duration READY_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration PROGRESS_EVERY = Duration.ofSeconds(5);
    private static final Duration CHECK_EVERY = Duration.ofMillis(50);
    /** The common pool has one thread on a machine with two processors. */
    private static final Executor AT_ONCE = Thread::startVirtualThread;

    private static final String KAFKA = "kafka";
    private static final String KAFKA_HEAP = "512m";
    private static final String POSTGRES = "postgres";

    /** Allows Kafka's use of native memory, so that the JVM logs no warnings. */
    private static final List<String> KAFKA_JVM_OPTIONS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+ExitOnOutOfMemoryError",
            "-Djava.util.logging.manager=org.jboss.logmanager.LogManager");

    private final StackSettings settings;
    private final Secrets secrets;
    private final Consumer<String> output;
    private final Map<Service, List<String>> commands;
    private final ServiceProcesses services = new ServiceProcesses();
    private final CompletableFuture<String> death = new CompletableFuture<>();
    private @Nullable ChildProcess kafka;
    private @Nullable LocalPostgres postgres;
    private volatile boolean closing;

    private LocalStack(
            StackSettings settings, Secrets secrets, Consumer<String> output, Map<Service, List<String>> commands) {
        this.settings = settings;
        this.secrets = secrets;
        this.output = output;
        this.commands = Map.copyOf(commands);
    }

    /**
     * Starts all parts and waits until they are ready. Interrupting the thread cancels the start.
     *
     * @param output receives each line of the stack and its parts, from many threads
     * @throws StackException if a part cannot start; the others are then stopped
     */
    public static LocalStack start(StackSettings settings, Consumer<String> output) {
        return start(settings, output, Map.of());
    }

    /**
     * As {@link #start(StackSettings, Consumer)}, with other command lines for some services.
     *
     * @param commands the command lines of these services
     */
    static LocalStack start(StackSettings settings, Consumer<String> output, Map<Service, List<String>> commands) {
        LocalStack stack;
        try {
            Files.createDirectories(settings.state());
            Files.createDirectories(settings.installations());
            Files.createDirectories(settings.archives());
            stack = new LocalStack(settings, Secrets.of(settings.state(), System.getenv()), output, commands);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep state in " + settings.state(), e);
        }
        return stack.startAll();
    }

    /** Completes with a message when a part ends that was not stopped. */
    public CompletableFuture<String> onDeath() {
        return death;
    }

    public StackSettings settings() {
        return settings;
    }

    /** The database of this stack. */
    public LocalPostgres database() {
        return Objects.requireNonNull(postgres);
    }

    /** The process of a running service. */
    public ProcessHandle process(Service service) {
        return services.of(service).handle();
    }

    /** The key that signs the address ids of this stack, in base64. */
    public String addressKey() {
        return secrets.addressKey();
    }

    /** The bearer token of this stack's operator API. */
    public String operatorToken() {
        return secrets.operatorToken();
    }

    /** Starts a service and returns at once; see {@link #awaitReady}. */
    public void start(Service service) {
        List<String> other = commands.get(service);
        start(service, other == null ? command(service) : other);
    }

    /**
     * Starts a service with another command line, and returns at once.
     *
     * @throws StackException if the stack is closed
     */
    public void start(Service service, List<String> command) {
        services.start(service, () -> watch(service.label(), command, environment(service)));
    }

    /** The command line of a service. */
    public List<String> command(Service service) {
        if (settings.binaries()) {
            return List.of(service.binary(settings.project()).toString(), "-Xmx" + settings.heap(service));
        }
        Path jar = service.jar(settings.project());
        if (Files.notExists(jar)) {
            throw new StackException(service + " is not built: " + jar + " is missing");
        }
        List<String> options = new ArrayList<>(service.jvmOptions());
        options.add("@" + StackSettings.jvmOptions(settings.project()));
        List<String> command = jvm(service.label(), settings.heap(service), options);
        command.addAll(List.of("-jar", jar.toString()));
        return command;
    }

    /** Waits until a service reports that it is ready. */
    public void awaitReady(Service service) {
        ChildProcess process = services.of(service);
        await(process, () -> Health.isReady(settings.port(service.management())));
    }

    /** Kills a service, as {@code kill -9}. It is not restarted. */
    public void kill(Service service) throws InterruptedException {
        ChildProcess process = services.remove(service);
        process.kill();
    }

    /** Stops a service gracefully. */
    public void stop(Service service) {
        ChildProcess process = services.remove(service);
        stop(process);
    }

    /** Kills the broker, as {@code kill -9}. */
    public void killKafka() throws InterruptedException {
        ChildProcess broker = Objects.requireNonNull(kafka);
        kafka = null;
        broker.kill();
    }

    /** Starts the broker and waits until it accepts connections. */
    public void startKafka() {
        List<String> command = jvm(KAFKA, KAFKA_HEAP, KAFKA_JVM_OPTIONS);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                LocalKafka.class.getName(),
                settings.state().resolve(KAFKA).toString(),
                Integer.toString(settings.port(Port.KAFKA))));
        ChildProcess broker = watch(KAFKA, command, Map.of());
        kafka = broker;
        await(broker, () -> broker.hasPrinted(LocalKafka.READY));
    }

    /** Stops the services, then Kafka and PostgreSQL. Data is kept. */
    @Override
    public void close() {
        closing = true;
        List<CompletableFuture<Void>> stopping = new ArrayList<>();
        services.close().forEach(service -> stopping.add(CompletableFuture.runAsync(() -> stop(service), AT_ONCE)));
        stopping.forEach(CompletableFuture::join);
        if (kafka != null) {
            stop(kafka);
        }
        if (postgres != null) {
            postgres.close();
            RecordedProcess.forget(settings.state(), POSTGRES);
        }
    }

    private LocalStack startAll() {
        try {
            CompletableFuture<Void> database = CompletableFuture.runAsync(this::startPostgres, AT_ONCE);
            CompletableFuture<Void> broker = CompletableFuture.runAsync(this::startKafka, AT_ONCE);
            awaitUnlessCancelled(CompletableFuture.allOf(database, broker));
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
                settings.port(Port.POSTGRES),
                secrets.databasePassword(),
                settings.durable()));
        postgres = started;
        started.ensureUser(ServiceEnvironment.EXPIRY_USER, secrets.expiryPassword());
        started.process().ifPresent(process -> {
            RecordedProcess.write(settings.state(), POSTGRES, process);
            Thread.startVirtualThread(() -> {
                process.onExit().join();
                died(
                        POSTGRES,
                        "ended; see " + settings.state().resolve(POSTGRES).resolve("postgresql.log"));
            });
        });
    }

    private ChildProcess watch(String label, List<String> command, Map<String, String> environment) {
        try {
            ChildProcess child = ChildProcess.start(label, command, environment, settings.logs(), output);
            RecordedProcess.write(settings.state(), label, child.handle());
            Thread.startVirtualThread(() -> {
                int status = child.onExit().join();
                died(label, "ended with status " + status + ":\n" + String.join("\n", child.lastLines()));
            });
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + label, e);
        }
    }

    private void died(String label, String how) {
        if (!closing) {
            death.complete(label + " " + how);
        }
    }

    private void await(ChildProcess process, BooleanSupplier ready) {
        long start = System.nanoTime();
        long deadline = start + READY_TIMEOUT.toNanos();
        long progress = start + PROGRESS_EVERY.toNanos();
        while (!ready.getAsBoolean()) {
            requireWanted();
            if (!process.isAlive()) {
                throw new StackException(
                        process.label() + " did not start:\n" + String.join("\n", process.lastLines()));
            }
            if (System.nanoTime() > deadline) {
                throw new StackException(process.label() + " was not ready after " + READY_TIMEOUT.toSeconds()
                        + " s; see " + settings.logs().resolve(process.label() + ".log"));
            }
            if (System.nanoTime() > progress) {
                progress += PROGRESS_EVERY.toNanos();
                output.accept("  waiting for " + process.label() + ", "
                        + Duration.ofNanos(System.nanoTime() - start).toSeconds() + " s");
            }
            LockSupport.parkNanos(CHECK_EVERY.toNanos());
        }
        output.accept("  " + process.label() + " is ready");
    }

    /** An interruption also ends the waits of the parts, which have threads of their own. */
    private void awaitUnlessCancelled(CompletableFuture<Void> parts) {
        try {
            parts.get();
        } catch (InterruptedException e) {
            closing = true;
            parts.exceptionally(_ -> null).join();
            throw new StackException("the start was cancelled");
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        }
        requireWanted();
    }

    /** Without an interruption, so that the started parts can be waited for when they are stopped. */
    private void requireWanted() {
        if (closing || Thread.interrupted()) {
            throw new StackException("the start was cancelled");
        }
    }

    private void stop(ChildProcess process) {
        try {
            process.stop();
            RecordedProcess.forget(settings.state(), process.label());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The environment variables that connect a service with the stack. */
    public Map<String, String> environment(Service service) {
        return new ServiceEnvironment(settings, secrets).of(service, postgres);
    }

    /** A JVM with a cache of parsed classes from earlier starts, which halves the time to be ready. */
    private List<String> jvm(String label, String heap, List<String> options) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx" + heap));
        command.addAll(options);
        if (settings.quickCompiler()) {
            command.add("-XX:TieredStopAtLevel=1");
        }
        Path archive = settings.archives().resolve(label + ".jsa");
        command.addAll(List.of("-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=" + archive, "-Xlog:disable"));
        return command;
    }
}
