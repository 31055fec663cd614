package dev.oneshot.local.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The commands of {@code ./oneshot} for the running stack: {@code up}, {@code status}, {@code down}; and {@code check-dns}. */
public final class Main {

    static final int FAILED = 1;
    public static final String STACK = "stack";
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);

    private final StackSettings settings;

    private Main(StackSettings settings) {
        this.settings = settings;
    }

    /**
     * Runs one command.
     *
     * @param arguments the root of the source tree, and the command
     */
    public static void main(String[] arguments) throws Exception {
        try {
            Path project = Path.of(arguments[0]).toAbsolutePath().normalize();
            Main main = new Main(StackSettings.ofEnvironment(project, System.getenv()));
            int status = switch (arguments[1]) {
                case "up" -> main.up();
                case "status" -> main.status();
                case "down" -> main.down();
                case "check-dns" -> checkDns(arguments[2], arguments.length > 3 ? arguments[3] : "");
                default -> throw new StackException("no such command: " + arguments[1]);
            };
            System.exit(status);
        } catch (StackException | IllegalStateException e) {
            System.err.println("oneshot: " + e.getMessage());
            System.exit(FAILED);
        }
    }

    private static int checkDns(String domain, String selector) {
        String servers = System.getenv().getOrDefault("ONESHOT_DNS_SERVERS", "");
        DnsCheck check = new DnsCheck(DnsCheck.servers(servers), System.out::println);
        return check.run(domain, selector) == 0 ? 0 : FAILED;
    }

    private int up() throws IOException, InterruptedException {
        Path state = settings.state();
        Files.createDirectories(state);
        try (FileChannel channel =
                FileChannel.open(state.resolve("stack.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw new StackException(
                        "already running" + pid() + "; see ./oneshot status, or end it with ./oneshot down");
            }
            Files.deleteIfExists(readyFile());
            RecordedProcess.write(state, STACK, ProcessHandle.current());
            RecordedProcess.endLeftovers(state, STACK, System.out::println);
            PortCheck.requireFree(settings);
            return run();
        }
    }

    private int run() throws IOException, InterruptedException {
        System.out.println("starting PostgreSQL, Kafka and the four services …");
        Thread starter = Thread.currentThread();
        CompletableFuture<Optional<LocalStack>> started = new CompletableFuture<>();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(starter, started)));
        LocalStack stack;
        try {
            stack = LocalStack.start(settings, new ForegroundLines(System.out::println));
        } catch (RuntimeException e) {
            started.complete(Optional.empty());
            throw e;
        }
        started.complete(Optional.of(stack));
        Secrets.write(tryFile(), Welcome.variables(settings, DemoAccount.ensure(stack)));
        String welcome = Welcome.text(settings);
        System.out.println(welcome);
        Files.writeString(readyFile(), welcome + "\n");
        try {
            System.err.println("oneshot: " + stack.onDeath().get() + "\noneshot: stopping everything else");
            return FAILED;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stops the stack, or cancels its start. A failed start stops its parts itself. */
    private void stop(Thread starter, CompletableFuture<Optional<LocalStack>> started) {
        boolean failed = started.isDone() && started.join().isEmpty();
        if (!failed) {
            System.out.println("stopping …");
        }
        if (!started.isDone()) {
            starter.interrupt();
        }
        started.join().ifPresent(LocalStack::close);
        try {
            Files.deleteIfExists(readyFile());
            Files.deleteIfExists(tryFile());
            RecordedProcess.forget(settings.state(), STACK);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!failed) {
            System.out.println("stopped; data is kept in " + settings.state());
        }
    }

    private int status() throws IOException {
        return new Status(settings).print(System.out::println);
    }

    private int down() throws IOException, InterruptedException {
        Optional<RecordedProcess> running = RecordedProcess.read(settings.state(), STACK);
        if (running.isPresent()) {
            System.out.println(
                    "stopping oneshot (process " + running.get().process().pid() + ") …");
            if (!running.get().end(STOP_TIMEOUT)) {
                System.out.println("it does not end by itself and is killed");
            }
        }
        int ended = RecordedProcess.endLeftovers(settings.state(), STACK, System.out::println);
        RecordedProcess.forget(settings.state(), STACK);
        System.out.println(running.isPresent() || ended > 0 ? "stopped" : "nothing is running");
        return 0;
    }

    private String pid() throws IOException {
        return RecordedProcess.read(settings.state(), STACK)
                .map(recorded -> " (process " + recorded.process().pid() + ")")
                .orElse("");
    }

    private Path tryFile() {
        return settings.state().resolve("try");
    }

    private Path readyFile() {
        return settings.state().resolve("ready");
    }
}
