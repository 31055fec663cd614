package dev.oneshot.local.stack;

import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.backends.Program;
import dev.oneshot.local.stack.StackSettings.Option;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.function.Uncheck;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL with a synchronous standby, three brokers and two replicas of each service, with balancers in front of REST and SMTP.
 * Each record is on all brokers, and two of them acknowledge it.
 *
 * <p>A part is named by its label, as in {@code kafka-1} or {@code api-2}. Different threads may act on different parts.
 */
public final class ReplicatedStack implements AutoCloseable {

    private static final Executor AT_ONCE = Thread::startVirtualThread;
    private static final int REPLICAS = 2;

    /** As long as an api pod of the chart waits until no balancer sends it new connections. */
    private static final Duration PRE_STOP = Duration.ofSeconds(5);

    private final StackSettings settings;
    private final Secrets secrets;
    private final Parts parts;
    private final PostgresPair postgres;
    private final KafkaCluster kafka = new KafkaCluster();
    private final Map<String, Launch> launches = new LinkedHashMap<>();
    private final Map<String, Balancer.Replica> replicas = new HashMap<>();
    private final List<Balancer> balancers = new ArrayList<>();

    /**
     * How a part is started.
     *
     * @param service null for a broker
     */
    private record Launch(
            List<String> command,
            Map<String, String> environment,
            @Nullable Service service,
            int port) {}

    private ReplicatedStack(StackSettings settings, Secrets secrets, PostgresPair postgres) {
        this.settings = settings;
        this.secrets = secrets;
        this.postgres = postgres;
        this.parts = new Parts(settings, _ -> {});
    }

    /**
     * Starts all parts and waits until they are ready.
     *
     * @throws StackException if a part cannot start; the others are then stopped
     */
    public static ReplicatedStack start(StackSettings settings) {
        try {
            Files.createDirectories(settings.state());
            Files.createDirectories(settings.archives());
            Secrets secrets = Secrets.of(settings.state(), Map.of());
            PostgresPair postgres = new PostgresPair(settings, secrets.databasePassword());
            ReplicatedStack stack = new ReplicatedStack(settings, secrets, postgres);
            try {
                postgres.primary().ensureUser(ServiceEnvironment.EXPIRY_USER, secrets.expiryPassword());
                postgres.startStandby();
                stack.startAll();
            } catch (RuntimeException e) {
                stack.close();
                throw e;
            }
            return stack;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep state in " + settings.state(), e);
        }
    }

    /** The port of REST or SMTP, where a balancer listens. */
    public int port(Port port) {
        return settings.port(port);
    }

    /** The primary. */
    public LocalPostgres database() {
        return postgres.primary();
    }

    /** The bearer token of the operator API. */
    public String operatorToken() {
        return secrets.operatorToken();
    }

    /** The management port of a replica. */
    public int managementPort(String label) {
        return Objects.requireNonNull(launches.get(label)).port();
    }

    public StackSettings settings() {
        return settings;
    }

    /** The labels of the replicas of a service. */
    public static List<String> labels(Service service) {
        return IntStream.rangeClosed(1, REPLICAS)
                .mapToObj(i -> label(service, i))
                .toList();
    }

    /** The label of a third replica of a service, which is started last, if at all. */
    public static String spare(Service service) {
        return label(service, REPLICAS + 1);
    }

    /** The labels of the brokers. */
    public static List<String> brokers() {
        return KafkaCluster.labels();
    }

    /** The broker that leads the first partition of a topic. */
    public String leader(String topic) throws ExecutionException, InterruptedException {
        return kafka.leader(topic);
    }

    /** The labels of the replicas that report that they are ready. */
    public Set<String> ready() {
        return launches.entrySet().stream()
                .filter(launch -> launch.getValue().service() != null
                        && Health.isReady(launch.getValue().port()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Kills a part, as {@code kill -9}. */
    public void kill(String label) {
        parts.remove(label).kill();
        kafka.close(label);
    }

    /** Stops a process from running, as {@code kill -STOP}; its connections stay. */
    public void freeze(String label) {
        signal(label, "STOP");
    }

    /** Lets a frozen process run on. */
    public void thaw(String label) {
        signal(label, "CONT");
    }

    /** Starts a part and waits until it is ready. */
    public void startAgain(String label) {
        launch(label);
        awaitReady(label);
        Balancer.Replica replica = replicas.get(label);
        if (replica != null) {
            replica.drain(false);
        }
    }

    /** Stops a part gracefully, as Kubernetes does: first it gets no new connections, then it is asked to end. */
    public void stop(String label) throws InterruptedException {
        Balancer.Replica replica = replicas.get(label);
        if (replica != null) {
            replica.drain(true);
            // An api-service waits itself, and closes kept connections after a last response.
            if (Objects.requireNonNull(launches.get(label)).service() != Service.API) {
                TimeUnit.NANOSECONDS.sleep(PRE_STOP.toNanos());
            }
        }
        parts.remove(label).stop();
        kafka.close(label);
    }

    /** Cuts the network between ingest and the brokers: no byte passes, and no connection ends. */
    public void cutKafka() {
        kafka.cut();
    }

    /** Ends the cut; the bytes sent during it arrive. */
    public void mendKafka() {
        kafka.mend();
    }

    /** Kills the primary of PostgreSQL. */
    public void killPostgres() {
        postgres.kill();
    }

    /** Makes the standby of PostgreSQL the primary. */
    public void promoteStandby() {
        postgres.promote();
    }

    /** Makes a new standby after {@link #promoteStandby}. */
    public void startStandby() {
        postgres.startStandby();
    }

    /** Restarts both servers of PostgreSQL, as an operator does: the standby, then the primary, whose place the standby takes. */
    public void restartPostgres() {
        postgres.restartStandby();
        postgres.switchOver();
    }

    /** Stops the services, then the brokers and PostgreSQL. */
    @Override
    public void close() {
        balancers.forEach(Balancer::close);
        List<ChildProcess> running = parts.close();
        stop(running.stream().filter(part -> !part.label().startsWith(KafkaCluster.PREFIX)));
        stop(running.stream().filter(part -> part.label().startsWith(KafkaCluster.PREFIX)));
        kafka.close();
        postgres.close();
        if (settings.has(Option.TEMPORARY)) {
            Uncheck.accept(FileUtils::deleteDirectory, settings.state().toFile());
        }
    }

    private static void stop(Stream<ChildProcess> some) {
        some.map(part -> CompletableFuture.runAsync(part::stop, AT_ONCE))
                .toList()
                .forEach(CompletableFuture::join);
    }

    private void startAll() {
        brokers().forEach(this::addBroker);
        brokers().forEach(this::launch);
        brokers().forEach(this::awaitReady);
        LocalKafka.createTopics(kafka.bootstrapServers());
        for (Service service : Service.values()) {
            labels(service).forEach(label -> addReplica(label, service));
            addReplica(spare(service), service);
        }
        // The first one migrates the database.
        startAgain(labels(Service.API).getFirst());
        List<String> others = Stream.of(Service.values())
                .flatMap(service -> labels(service).stream())
                .skip(1)
                .toList();
        others.forEach(this::launch);
        others.forEach(this::awaitReady);
        balance(Port.HTTP, Service.API);
        balance(Port.SMTP, Service.INGEST);
    }

    private void addBroker(String label) {
        int port = kafka.port(label);
        List<String> arguments = Stream.concat(
                        Stream.of(settings.state().resolve(label).toString(), Integer.toString(port)),
                        kafka.member(label).arguments().stream())
                .toList();
        launches.put(label, new Launch(new CommandLine(settings).kafka(arguments), Map.of(), null, port));
    }

    private void addReplica(String label, Service service) {
        int port = LoopbackPorts.free();
        int management = LoopbackPorts.free();
        Map<String, String> environment = new HashMap<>(new ServiceEnvironment(settings, secrets).of(service));
        environment.put(
                "KAFKA_BOOTSTRAP_SERVERS",
                service == Service.INGEST ? kafka.proxiedServers() : kafka.bootstrapServers());
        environment.put("ONESHOT_MANAGEMENT_PORT", Integer.toString(management));
        if (service == Service.API) {
            environment.put("ONESHOT_HTTP_PORT", Integer.toString(port));
            environment.put("QUARKUS_SHUTDOWN_DELAY", PRE_STOP.toSeconds() + "s");
        } else if (service == Service.INGEST) {
            environment.put("ONESHOT_SMTP_PORT", Integer.toString(port));
        }
        replicas.put(label, new Balancer.Replica(port, () -> Health.isReady(management)));
        launches.put(label, new Launch(new CommandLine(settings).of(service), environment, service, management));
    }

    private void balance(Port port, Service service) {
        balancers.add(new Balancer(
                settings.port(port),
                Stream.concat(labels(service).stream(), Stream.of(spare(service)))
                        .map(replicas::get)
                        .map(Objects::requireNonNull)
                        .toList()));
    }

    private void launch(String label) {
        Launch launch = Objects.requireNonNull(launches.get(label));
        if (launch.service() == null) {
            kafka.open(label);
        }
        parts.start(label, launch.command(), launch.environment());
    }

    private void awaitReady(String label) {
        Launch launch = Objects.requireNonNull(launches.get(label));
        ChildProcess part = parts.of(label);
        part.awaitReady(
                () -> launch.service() == null
                        ? part.lastLines().contains(LocalKafka.READY)
                        : Health.isReady(launch.port()),
                _ -> {});
    }

    private void signal(String label, String name) {
        String pid = Long.toString(parts.of(label).handle().pid());
        Uncheck.apply(Program::run, List.of("kill", "-" + name, pid));
    }

    private static String label(Service service, int number) {
        return service.label() + "-" + number;
    }
}
