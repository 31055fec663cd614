package dev.oneshot.local.bench.system;

import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.stack.ChildProcess;
import dev.oneshot.local.stack.Health;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.StackSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The servers that results are compared with: that of the module {@code ceilings}, with SMTP and a sink that discards, and
 * an endpoint that does nothing; and Postfix's discarding server {@code smtp-sink}, if it is installed.
 */
public final class Ceilings implements AutoCloseable {

    private static final Path SMTP_SINK = Path.of("/usr/sbin/smtp-sink");

    private final List<ChildProcess> processes = new ArrayList<>();
    private final int smtpPort = LoopbackPorts.free();
    private final int httpPort = LoopbackPorts.free();
    private final OptionalInt sinkPort;
    private final Path logs;

    /**
     * Starts the servers on free ports and waits until they are ready.
     *
     * @param project the root of the source tree, with everything packaged
     * @param kafka the bootstrap server; the SMTP server reads closed addresses from it
     * @param addressKey the key that signs address ids, in base64
     */
    public Ceilings(Path project, Path logs, String kafka, String addressKey) throws IOException {
        this.logs = logs;
        int management = LoopbackPorts.free();
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + Service.API.heap(),
                "@" + StackSettings.jvmOptions(project),
                "-jar",
                project.resolve("deploy/local/ceilings/target/quarkus-app/quarkus-run.jar")
                        .toString());
        Map<String, String> settings = Map.of(
                "KAFKA_BOOTSTRAP_SERVERS", kafka,
                "ONESHOT_ADDRESS_KEYS", addressKey,
                "ONESHOT_SMTP_PORT", Integer.toString(smtpPort),
                "ONESHOT_HTTP_PORT", Integer.toString(httpPort),
                "ONESHOT_MANAGEMENT_PORT", Integer.toString(management));
        start("ceilings", command, settings).awaitReady(() -> Health.isReady(management), _ -> {});
        this.sinkPort = Files.isExecutable(SMTP_SINK) ? OptionalInt.of(startSmtpSink()) : OptionalInt.empty();
    }

    /** Starts the servers with the keys and the broker of a stack. */
    public static Ceilings of(LocalStack stack) throws IOException {
        StackSettings settings = stack.settings();
        String kafka = "127.0.0.1:" + settings.port(Port.KAFKA);
        return new Ceilings(settings.project(), settings.logs(), kafka, stack.addressKey());
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

    private int startSmtpSink() throws IOException {
        int port = LoopbackPorts.free();
        List<String> command = new ArrayList<>(List.of(SMTP_SINK.toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("-u", "nobody"));
        }
        command.addAll(List.of("127.0.0.1:" + port, "1024"));
        start("smtp-sink", command, Map.of()).awaitReady(() -> Health.accepts(port), _ -> {});
        return port;
    }

    private ChildProcess start(String label, List<String> command, Map<String, String> environment) throws IOException {
        ChildProcess process = ChildProcess.start(label, command, environment, logs, _ -> {});
        processes.add(process);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> process.handle().destroyForcibly()));
        return process;
    }
}
