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
 *
 * @param smtpPort of the SMTP server that discards
 * @param httpPort of the endpoint that does nothing
 * @param sinkPort of {@code smtp-sink}
 * @param processes the first is that of the module
 */
public record Ceilings(int smtpPort, int httpPort, OptionalInt sinkPort, List<ChildProcess> processes)
        implements AutoCloseable {

    private static final Path SMTP_SINK = Path.of("/usr/sbin/smtp-sink");

    /**
     * Starts the servers on free ports and waits until they are ready.
     *
     * @param project the root of the source tree, with everything packaged
     * @param kafka the bootstrap server; the SMTP server reads closed addresses from it
     * @param addressKey the key that signs address ids, in base64
     */
    public static Ceilings start(Path project, Path logs, String kafka, String addressKey) throws IOException {
        int smtp = LoopbackPorts.free();
        int http = LoopbackPorts.free();
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
                "ONESHOT_SMTP_PORT", Integer.toString(smtp),
                "ONESHOT_HTTP_PORT", Integer.toString(http),
                "ONESHOT_MANAGEMENT_PORT", Integer.toString(management));
        List<ChildProcess> processes = new ArrayList<>();
        processes.add(ChildProcess.start("ceilings", command, settings, logs, _ -> {}));
        OptionalInt sink = OptionalInt.empty();
        if (Files.isExecutable(SMTP_SINK)) {
            int port = LoopbackPorts.free();
            sink = OptionalInt.of(port);
            processes.add(ChildProcess.start("smtp-sink", smtpSink(port), Map.of(), logs, _ -> {}));
        }
        Ceilings ceilings = new Ceilings(smtp, http, sink, processes);
        Runtime.getRuntime().addShutdownHook(new Thread(ceilings::close));
        processes.getFirst().awaitReady(() -> Health.isReady(management), _ -> {});
        sink.ifPresent(port -> processes.getLast().awaitReady(() -> Health.accepts(port), _ -> {}));
        return ceilings;
    }

    /** Starts the servers with the keys and the broker of a stack. */
    public static Ceilings of(LocalStack stack) throws IOException {
        StackSettings settings = stack.settings();
        String kafka = "127.0.0.1:" + settings.port(Port.KAFKA);
        return start(settings.project(), settings.logs(), kafka, stack.addressKey());
    }

    /** The process of the server that discards. */
    public MeasuredProcess process() {
        return new MeasuredProcess(processes.getFirst().handle());
    }

    @Override
    public void close() {
        processes.forEach(ChildProcess::kill);
    }

    private static List<String> smtpSink(int port) {
        List<String> command = new ArrayList<>(List.of(SMTP_SINK.toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("-u", "nobody"));
        }
        command.addAll(List.of("127.0.0.1:" + port, "1024"));
        return command;
    }
}
