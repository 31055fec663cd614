package dev.oneshot.local.bench.system;

import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.stack.Health;
import dev.oneshot.local.stack.StackSettings;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
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
 *
 * @param server the process of the module {@code ceilings}
 * @param smtpPort its SMTP port
 * @param httpPort its HTTP port
 * @param smtpSink the process of {@code smtp-sink}
 * @param sinkPort the port of {@code smtp-sink}
 */
public record Ceilings(Process server, int smtpPort, int httpPort, Optional<Process> smtpSink, OptionalInt sinkPort)
        implements AutoCloseable {

    /**
     * Starts the servers on free ports and waits until they are ready.
     *
     * @param project the root of the source tree, with everything packaged
     * @param heap as {@code -Xmx} takes it
     * @param kafka the bootstrap server; the SMTP server reads closed addresses from it
     * @param addressKey the key that signs address ids, in base64
     */
    public static Ceilings start(Path project, String heap, String kafka, String addressKey)
            throws IOException, InterruptedException {
        int smtp = LoopbackPorts.free();
        int http = LoopbackPorts.free();
        int management = LoopbackPorts.free();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String options = "@" + StackSettings.jvmOptions(project);
        Path jar = project.resolve("deploy/local/ceilings/target/quarkus-app/quarkus-run.jar");
        Map<String, String> settings = Map.of(
                "KAFKA_BOOTSTRAP_SERVERS", kafka,
                "ONESHOT_ADDRESS_KEYS", addressKey,
                "ONESHOT_SMTP_PORT", Integer.toString(smtp),
                "ONESHOT_HTTP_PORT", Integer.toString(http),
                "ONESHOT_MANAGEMENT_PORT", Integer.toString(management));
        Process server = start(List.of(java, "-Xmx" + heap, options, "-jar", jar.toString()), settings);
        Health.await(() -> Health.isReady(management), "the server of the ceilings");
        Optional<Path> program = smtpSinkProgram();
        if (program.isEmpty()) {
            return new Ceilings(server, smtp, http, Optional.empty(), OptionalInt.empty());
        }
        int sink = LoopbackPorts.free();
        List<String> command = new ArrayList<>(List.of(program.get().toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("-u", "nobody"));
        }
        command.addAll(List.of("127.0.0.1:" + sink, "1024"));
        Process smtpSink = start(command, Map.of());
        Health.await(() -> Health.accepts(sink), "smtp-sink");
        return new Ceilings(server, smtp, http, Optional.of(smtpSink), OptionalInt.of(sink));
    }

    public MeasuredProcess process() {
        return new MeasuredProcess(server.toHandle());
    }

    @Override
    public void close() {
        server.destroy();
        smtpSink.ifPresent(Process::destroy);
    }

    private static Process start(List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.DISCARD);
        builder.environment().putAll(environment);
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
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
