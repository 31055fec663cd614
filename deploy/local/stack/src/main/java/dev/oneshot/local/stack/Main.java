package dev.oneshot.local.stack;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The commands of {@code ./oneshot} for the running stack: {@code up}, {@code status} and {@code down}. */
public final class Main {

    private static final int FAILED = 1;
    private static final int NOTHING_RUNS = 3;
    public static final String STACK = "stack";
    /** Services stop first, all together, and then Kafka: two timeouts of {@link ChildProcess}, and time for PostgreSQL. */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(150);

    private final StackSettings settings;
    private final Path tryFile;
    private final Path readyFile;

    private Main(StackSettings settings) {
        this.settings = settings;
        this.tryFile = settings.state().resolve("try");
        this.readyFile = settings.state().resolve("ready");
    }

    /**
     * Runs one command.
     *
     * @param arguments the root of the source tree, the command, and its words
     */
    public static void main(String[] arguments) throws Exception {
        try {
            Path project = Path.of(arguments[0]).toAbsolutePath().normalize();
            Main main = new Main(StackSettings.ofEnvironment(project, System.getenv()));
            int status = switch (arguments[1]) {
                case "up" -> main.up(without(Arrays.asList(arguments).subList(2, arguments.length)));
                case "status" -> main.status();
                case "down" -> main.down();
                default -> throw new StackException("no such command: " + arguments[1]);
            };
            System.exit(status);
        } catch (StackException | IllegalStateException e) {
            System.err.println("oneshot: " + e.getMessage());
            System.exit(FAILED);
        }
    }

    /** The services in words such as {@code --without api-service}. */
    private static Set<Service> without(List<String> words) {
        Set<Service> services = EnumSet.noneOf(Service.class);
        for (int i = 0; i < words.size(); i += 2) {
            if (!words.get(i).equals("--without") || i + 1 == words.size()) {
                throw new StackException("up takes --without and a service, not " + words.get(i));
            }
            services.add(Service.ofModule(words.get(i + 1)));
        }
        return services;
    }

    private int up(Set<Service> without) throws Exception {
        Path state = settings.state();
        Files.createDirectories(state);
        try (FileChannel channel =
                FileChannel.open(state.resolve("stack.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw new StackException("already running; see ./oneshot status, or end it with ./oneshot down");
            }
            Files.deleteIfExists(readyFile);
            deleteEnvironmentFiles();
            RecordedProcess.write(state, STACK, ProcessHandle.current());
            RecordedProcess.endLeftovers(state, STACK, System.out::println);
            if (!settings.has(StackSettings.Option.DURABLE)) {
                LocalStack.deleteData(state);
            }
            requireReadable(state);
            PortCheck.requireFree(settings);
            // ./oneshot status reads them, as its terminal may lack the variables.
            Files.write(
                    state.resolve("ports"),
                    Arrays.stream(Port.values())
                            .map(port -> port.setting() + "=" + settings.port(port))
                            .toList());
            return run(without);
        }
    }

    /**
     * Refuses data of builds before 1.0.0, and marks new data.
     *
     * @throws StackException if there is data without the mark
     */
    private static void requireReadable(Path state) throws IOException {
        Path format = state.resolve("format");
        if (Files.exists(state.resolve("postgres")) && Files.notExists(format)) {
            throw new StackException("the data in " + state + " is of a build before 1.0.0: remove that folder");
        }
        Files.writeString(format, "1\n");
    }

    private int run(Set<Service> without) throws Exception {
        System.out.println("starting PostgreSQL, Kafka and the four services …");
        Thread main = Thread.currentThread();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(main, ended)));
        try {
            serve(without);
            boolean kept = settings.has(StackSettings.Option.DURABLE);
            System.out.println(kept ? "stopped; data is kept in " + settings.state() : "stopped");
            return FAILED;
        } finally {
            ended.complete(null);
        }
    }

    /** Runs the stack until a part ends, or the stack is asked to stop. */
    private void serve(Set<Service> without) throws Exception {
        Consumer<String> terminal = new ForegroundLines(System.out::println);
        try (LocalStack stack = LocalStack.start(settings, terminal)) {
            Secrets.write(tryFile, Welcome.variables(settings, DemoAccount.ensure(stack, System.getenv())));
            // After the start, as other parts need it: api-service migrates the database.
            for (Service service : without) {
                stack.stop(service);
                Secrets.write(
                        ServiceEnvironment.file(settings.state(), service),
                        ServiceEnvironment.lines(stack.environment(service)));
            }
            String welcome = Welcome.text(settings, without);
            System.out.println(welcome);
            Files.writeString(readyFile, welcome + "\n");
            System.err.println("oneshot: " + stack.onDeath().get() + "\noneshot: stopping everything else");
        } catch (InterruptedException | ClosedByInterruptException asked) {
            // The stack is closed by now.
        } finally {
            Files.deleteIfExists(readyFile);
            Files.deleteIfExists(tryFile);
            deleteEnvironmentFiles();
            RecordedProcess.forget(settings.state(), STACK);
        }
    }

    private void deleteEnvironmentFiles() throws IOException {
        for (Service service : Service.values()) {
            Files.deleteIfExists(ServiceEnvironment.file(settings.state(), service));
        }
    }

    /** Makes the main thread stop the stack, or cancel its start. */
    private void stop(Thread main, CompletableFuture<Void> ended) {
        if (!ended.isDone()) {
            System.out.println("stopping …");
            main.interrupt();
            ended.join();
        }
    }

    /** Prints a line for each part. Returns 0 if all are ready, 1 if only some are, 3 if none runs. */
    private int status() throws IOException {
        Set<String> elsewhere = new HashSet<>();
        Map<String, Port> parts = new LinkedHashMap<>();
        parts.put("postgres", Port.POSTGRES);
        parts.put("kafka", Port.KAFKA);
        for (Service service : Service.values()) {
            parts.put(service.label(), service.management());
            if (Files.exists(ServiceEnvironment.file(settings.state(), service))) {
                elsewhere.add(service.label());
            }
        }
        int running = 0;
        int ready = 0;
        System.out.printf("%-10s %-8s %-6s %s%n", "PART", "PROCESS", "PORT", "HEALTH");
        for (Map.Entry<String, Port> part : parts.entrySet()) {
            Optional<RecordedProcess> process = RecordedProcess.read(settings.state(), part.getKey());
            String pid = process.map(RecordedProcess::pid).orElse("-");
            boolean expected = process.isPresent() || elsewhere.contains(part.getKey());
            String health = expected ? health(part.getValue()) : "not running";
            running += process.isPresent() ? 1 : 0;
            ready += health.equals("ready") ? 1 : 0;
            System.out.printf("%-10s %-8s %-6d %s%n", part.getKey(), pid, settings.port(part.getValue()), health);
        }
        if (running == 0) {
            System.out.println("nothing is running; start it with ./oneshot up");
            return NOTHING_RUNS;
        }
        if (RecordedProcess.read(settings.state(), STACK).isEmpty()) {
            System.out.println("the stack itself was killed; stop the rest with ./oneshot down, or start again");
            return FAILED;
        }
        return ready == parts.size() ? 0 : FAILED;
    }

    private String health(Port port) {
        int number = settings.port(port);
        boolean isBackend = port == Port.POSTGRES || port == Port.KAFKA;
        boolean ready = isBackend ? Health.accepts(number) : Health.isReady(number);
        return ready ? "ready" : "not ready";
    }

    private int down() throws IOException {
        Optional<RecordedProcess> running = RecordedProcess.read(settings.state(), STACK);
        if (running.isPresent()) {
            System.out.println("stopping oneshot (process " + running.get().pid() + ") …");
            if (!running.get().end(STOP_TIMEOUT)) {
                System.out.println("it does not end by itself and is killed");
            }
        }
        int ended = RecordedProcess.endLeftovers(settings.state(), STACK, System.out::println);
        RecordedProcess.forget(settings.state(), STACK);
        System.out.println(running.isPresent() || ended > 0 ? "stopped" : "nothing is running");
        return 0;
    }
}
