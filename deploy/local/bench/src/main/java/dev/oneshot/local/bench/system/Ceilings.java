package dev.oneshot.local.bench.system;

import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.stack.StackSettings;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.Map;

/** The server of the module {@code ceilings}: SMTP with a sink that discards, and an endpoint that does nothing. */
public record Ceilings(Process server, int smtpPort, int httpPort) implements AutoCloseable {

    /**
     * Starts the server on free ports and waits until it is ready.
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
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heap,
                        "@" + StackSettings.jvmOptions(project),
                        "-jar",
                        project.resolve("deploy/local/ceilings/target/quarkus-app/quarkus-run.jar")
                                .toString())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD);
        builder.environment()
                .putAll(Map.of(
                        "KAFKA_BOOTSTRAP_SERVERS", kafka,
                        "ONESHOT_ADDRESS_KEYS", addressKey,
                        "ONESHOT_SMTP_PORT", Integer.toString(smtp),
                        "ONESHOT_HTTP_PORT", Integer.toString(http),
                        "ONESHOT_MANAGEMENT_PORT", Integer.toString(management)));
        Process server = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(server::destroyForcibly));
        Readiness.await(management);
        return new Ceilings(server, smtp, http);
    }

    public MeasuredProcess process() {
        return new MeasuredProcess(server.toHandle());
    }

    @Override
    public void close() {
        server.destroy();
    }
}
