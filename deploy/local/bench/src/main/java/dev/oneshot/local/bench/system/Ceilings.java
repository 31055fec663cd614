package dev.oneshot.local.bench.system;

import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.stack.ChildProcess;
import dev.oneshot.local.stack.Health;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.StackSettings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The servers that results are compared with: that of the module {@code ceilings}, with SMTP and a sink that discards, and
 * an endpoint that does nothing; and Postfix's discarding server {@code smtp-sink}, if it is installed.
 */
public final class Ceilings implements AutoCloseable {

    private final List<ChildProcess> processes = new ArrayList<>();
    private final int smtpPort = LoopbackPorts.free();
    private final int httpPort = LoopbackPorts.free();
    private final Path logs;
    private OptionalInt sinkPort = OptionalInt.empty();

    private Ceilings(Path logs) {
        this.logs = logs;
    }

    /** Starts the servers with the keys and the broker of a stack. */
    public static Ceilings of(LocalStack stack) throws IOException {
        StackSettings settings = stack.settings();
        return start(
                settings.project(),
                settings.logs(),
                settings.heap(Service.API),
                "127.0.0.1:" + settings.port(Port.KAFKA),
                stack.addressKey());
    }

    /**
     * Starts the servers on free ports and waits until they are ready.
     *
     * @param project the root of the source tree, with everything packaged
     * @param heap as {@code -Xmx} takes it
     * @param kafka the bootstrap server; the SMTP server reads closed addresses from it
     * @param addressKey the key that signs address ids, in base64
     */
    public static Ceilings start(Path project, Path logs, String heap, String kafka, String addressKey)
            throws IOException {
        Ceilings ceilings = new Ceilings(logs);
        int management = LoopbackPorts.free();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String options = "@" + StackSettings.jvmOptions(project);
        Path jar = project.resolve("deploy/local/ceilings/target/quarkus-app/quarkus-run.jar");
        Map<String, String> settings = Map.of(
                "KAFKA_BOOTSTRAP_SERVERS", kafka,
                "ONESHOT_ADDRESS_KEYS", addressKey,
                "ONESHOT_SMTP_PORT", Integer.toString(ceilings.smtpPort),
                "ONESHOT_HTTP_PORT", Integer.toString(ceilings.httpPort),
                "ONESHOT_MANAGEMENT_PORT", Integer.toString(management));
        ceilings.start("ceilings", List.of(java, "-Xmx" + heap, options, "-jar", jar.toString()), settings)
                .awaitReady(() -> Health.isReady(management), _ -> {});
        Optional<Path> program = smtpSinkProgram();
        if (program.isPresent()) {
            int port = LoopbackPorts.free();
            List<String> command = new ArrayList<>(List.of(program.get().toString()));
            if (System.getProperty("user.name").equals("root")) {
                command.addAll(List.of("-u", "nobody"));
            }
            command.addAll(List.of("127.0.0.1:" + port, "1024"));
            ceilings.start("smtp-sink", command, Map.of()).awaitReady(() -> Health.accepts(port), _ -> {});
            ceilings.sinkPort = OptionalInt.of(port);
        }
        return ceilings;
    }

    /** The SMTP port of the server that discards. */
    public int smtpPort() {
        return smtpPort;
    }

    /** The port of the endpoint that does nothing. */
    public int httpPort() {
        return httpPort;
    }

    /** The port of {@code smtp-sink}. */
    public OptionalInt sinkPort() {
        return sinkPort;
    }

    /** The process of the server that discards. */
    public MeasuredProcess process() {
        return new MeasuredProcess(processes.getFirst().handle());
    }

    @Override
    public void close() {
        processes.forEach(process -> process.handle().destroyForcibly());
    }

    private ChildProcess start(String label, List<String> command, Map<String, String> environment) throws IOException {
        ChildProcess process = ChildProcess.start(label, command, environment, logs, _ -> {});
        processes.add(process);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> process.handle().destroyForcibly()));
        return process;
    }

    private static Optional<Path> smtpSinkProgram() {
        String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin";
        return Stream.of(path.split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, "smtp-sink"))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
