package dev.oneshot.local.backends;

import dev.oneshot.contracts.event.Topic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.commons.io.FileUtils;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker and its controller (KRaft) in this JVM, listening on 127.0.0.1, with all topics of the contracts.
 *
 * <p>{@link #stop()} and {@link #start()} keep the port and the data. Not thread-safe.
 */
public final class LocalKafka implements AutoCloseable {

    /** {@link #main} prints this when the broker accepts connections. */
    public static final String READY = "Kafka is ready";

    /** 16 bytes in base64. It must match existing data. */
    private static final String CLUSTER_ID = "b25lc2hvdC1sb2NhbC0wMQ";

    /** The size of a request without its largest record. */
    private static final int REQUEST_OVERHEAD_BYTES = 1024 * 1024;

    /** Kept here, as a garbage-collected logger loses its level. */
    private static final Map<Logger, Level> LEVELS = Map.of(
            Logger.getLogger("kafka"), Level.WARNING,
            Logger.getLogger("org.apache.kafka"), Level.WARNING,
            Logger.getLogger("state.change.logger"), Level.WARNING,
            // These log warnings at the first start and at every stop, which are normal.
            Logger.getLogger("org.apache.kafka.controller.QuorumController"), Level.SEVERE,
            Logger.getLogger("org.apache.kafka.clients.NetworkClient"), Level.SEVERE,
            // Logs an error if a controller with existing data registers before it leads; it registers again.
            Logger.getLogger("kafka.server.ControllerApis"), Level.OFF);

    private final Path directory;
    private final int port;
    private final @Nullable TlsListener tls;
    private final @Nullable Member member;
    private @Nullable KafkaRaftServer server;

    /**
     * A second listener, for TLS.
     *
     * @param port 1 to 65535; see {@link LoopbackPorts#free()}
     * @param settings Kafka's settings of its keys and trusted certificates: {@code ssl.keystore.type} and so on
     */
    public record TlsListener(int port, Map<String, String> settings) {}

    /**
     * A node of a cluster whose topics have a replica on each node.
     *
     * @param node 1 for the first
     * @param controllers the controller's port of each node, in their order
     * @param proxied the port of a second listener, for clients behind a proxy
     * @param proxy the port of that proxy
     */
    public record Member(int node, List<Integer> controllers, int proxied, int proxy) {

        public Member {
            controllers = List.copyOf(controllers);
        }

        /** The arguments of {@link LocalKafka#main} that follow the directory and the port. */
        public List<String> arguments() {
            return List.of(
                    Integer.toString(node),
                    controllers.stream().map(String::valueOf).collect(Collectors.joining(",")),
                    Integer.toString(proxied),
                    Integer.toString(proxy));
        }

        /** Reads {@link #arguments()}, which follow two others. */
        private static Member of(String[] arguments) {
            return new Member(
                    Integer.parseInt(arguments[2]),
                    Arrays.stream(arguments[3].split(",", -1))
                            .map(Integer::valueOf)
                            .toList(),
                    Integer.parseInt(arguments[4]),
                    Integer.parseInt(arguments[5]));
        }

        /** The settings that differ from those of a single broker. */
        private Map<String, String> configuration(Properties alone) {
            String voters = IntStream.rangeClosed(1, controllers.size())
                    .mapToObj(i -> i + "@127.0.0.1:" + controllers.get(i - 1))
                    .collect(Collectors.joining(","));
            return Map.of(
                    "node.id",
                    Integer.toString(node),
                    "controller.quorum.voters",
                    voters,
                    "listeners",
                    alone.getProperty("listeners") + ",PROXIED://127.0.0.1:" + proxied,
                    "advertised.listeners",
                    alone.getProperty("advertised.listeners") + ",PROXIED://127.0.0.1:" + proxy);
        }

        private int controller() {
            return controllers.get(node - 1);
        }
    }

    private LocalKafka(Path directory, int port, @Nullable TlsListener tls, @Nullable Member member) {
        this.directory = directory;
        this.port = port;
        this.tls = tls;
        this.member = member;
    }

    /**
     * Starts a broker and creates missing topics.
     *
     * @param directory of its data; created if missing
     * @param port 1 to 65535; see {@link LoopbackPorts#free()}
     * @throws IllegalStateException if it does not start
     */
    public static LocalKafka start(Path directory, int port) {
        return start(directory, port, null);
    }

    /** As {@link #start(Path, int)}, with a TLS listener. */
    public static LocalKafka start(Path directory, int port, @Nullable TlsListener tls) {
        LocalKafka kafka = started(directory, port, tls, null);
        createTopics(kafka.bootstrapServers());
        return kafka;
    }

    private static LocalKafka started(Path directory, int port, @Nullable TlsListener tls, @Nullable Member member) {
        LEVELS.forEach(Logger::setLevel);
        LocalKafka kafka = new LocalKafka(directory, port, tls, member);
        kafka.start();
        return kafka;
    }

    /**
     * Runs a broker in its own JVM until the JVM is asked to end.
     *
     * @param arguments the directory and the port, as for {@link #start(Path, int)}; for a node of a cluster also those of
     *     {@link Member#arguments()}, and then {@link #createTopics} is to be called once
     */
    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        int port = Integer.parseInt(arguments[1]);
        LocalKafka kafka =
                arguments.length == 2 ? start(directory, port) : started(directory, port, null, Member.of(arguments));
        Runtime.getRuntime().addShutdownHook(new Thread(kafka::stop));
        System.out.println(READY);
    }

    /** Host and port for clients. */
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    /** Starts the broker after {@link #stop()}; does nothing if it runs. */
    public void start() {
        if (server != null) {
            return;
        }
        Properties configuration = configuration();
        formatStorage(configuration);
        LoopbackPorts.requireFree(port, "Kafka");
        KafkaRaftServer starting = new KafkaRaftServer(KafkaConfig.fromProps(configuration, false), Time.SYSTEM);
        try {
            starting.startup();
        } catch (RuntimeException e) {
            starting.shutdown();
            throw new IllegalStateException("Kafka did not start on port " + port + ": " + e.getMessage(), e);
        }
        server = starting;
    }

    /** Stops the broker and keeps its data. */
    public void stop() {
        if (server != null) {
            server.shutdown();
            server.awaitShutdown();
            server = null;
        }
    }

    @Override
    public void close() {
        stop();
    }

    private Properties configuration() {
        Properties properties = new Properties();
        load(properties, "kafka.properties");
        if (member != null) {
            load(properties, "kafka-cluster.properties");
        }
        // If only this broker connects to the controller, its port may change.
        int controller = member == null ? LoopbackPorts.free() : member.controller();
        String listeners = "PLAINTEXT://127.0.0.1:" + port + (tls == null ? "" : ",SSL://127.0.0.1:" + tls.port());
        int requestBytesMax = Topic.RECORD_BYTES_MAX + REQUEST_OVERHEAD_BYTES;
        properties.putAll(Map.of(
                "controller.quorum.voters", "1@127.0.0.1:" + controller,
                "listeners", listeners + ",CONTROLLER://127.0.0.1:" + controller,
                "advertised.listeners", listeners,
                "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT,SSL:SSL",
                "log.dirs", directory.resolve("data").toString(),
                "message.max.bytes", Integer.toString(Topic.RECORD_BYTES_MAX),
                "replica.fetch.max.bytes", Integer.toString(Topic.RECORD_BYTES_MAX),
                "replica.fetch.response.max.bytes", Integer.toString(requestBytesMax),
                "socket.request.max.bytes", Integer.toString(requestBytesMax),
                // Bounds the requests in memory, as the broker shares its JVM's heap.
                "queued.max.request.bytes", Integer.toString(2 * requestBytesMax)));
        if (tls != null) {
            properties.putAll(tls.settings());
        }
        if (member != null) {
            properties.putAll(member.configuration(properties));
        }
        return properties;
    }

    private static void load(Properties properties, String resource) {
        try (InputStream file = Objects.requireNonNull(LocalKafka.class.getResourceAsStream(resource))) {
            properties.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Keeps existing formatted storage. */
    private void formatStorage(Properties configuration) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Path file = directory.resolve("server.properties");
        try (OutputStream stream = FileUtils.openOutputStream(file.toFile())) {
            configuration.store(stream, "written at every start");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String[] command = {"format", "--ignore-formatted", "-t", CLUSTER_ID, "-c", file.toString()};
        int status = StorageTool.execute(command, new PrintStream(output, true, StandardCharsets.UTF_8));
        if (status != 0) {
            throw new IllegalStateException(
                    "cannot format Kafka's storage in " + directory + ": " + output.toString(StandardCharsets.UTF_8));
        }
    }

    /** Creates missing topics, and configures all: existing ones may have the configuration of another version. */
    public static void createTopics(String bootstrapServers) {
        LEVELS.forEach(Logger::setLevel);
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
            Set<String> existing = admin.listTopics().names().get();
            List<NewTopic> missing = Arrays.stream(Topic.values())
                    .filter(topic -> !existing.contains(topic.topicName()))
                    .map(topic -> new NewTopic(topic.topicName(), Optional.empty(), Optional.empty())
                            .configs(topic.configuration()))
                    .toList();
            admin.createTopics(missing).all().get();
            admin.incrementalAlterConfigs(Arrays.stream(Topic.values())
                            .collect(Collectors.toMap(
                                    topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic.topicName()),
                                    LocalKafka::settings)))
                    .all()
                    .get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while creating the topics", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot create the topics: " + e.getMessage(), e);
        }
    }

    private static Collection<AlterConfigOp> settings(Topic topic) {
        return topic.configuration().entrySet().stream()
                .map(entry ->
                        new AlterConfigOp(new ConfigEntry(entry.getKey(), entry.getValue()), AlterConfigOp.OpType.SET))
                .toList();
    }
}
