package dev.oneshot.local.bench.system;

import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.stack.StackSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The server of the module {@code ceilings}: SMTP with a sink that discards, and an endpoint that does nothing. */
public final class Ceilings implements AutoCloseable {

    private static final String SMTP_PORT = "ONESHOT_SMTP_PORT";
    private static final String HTTP_PORT = "ONESHOT_HTTP_PORT";
    private static final String MANAGEMENT_PORT = "ONESHOT_MANAGEMENT_PORT";
    private static final Duration START_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration CHECK_EVERY = Duration.ofMillis(100);

    private final Process process;
    private final Map<String, String> environment;

    private Ceilings(Process process, Map<String, String> environment) {
        this.process = process;
        this.environment = Map.copyOf(environment);
    }

    /**
     * Starts it on free ports and waits until it is ready.
     *
     * @param project the root of the source tree, with everything packaged
     * @param heap as {@code -Xmx} takes it
     * @param kafka where the broker is, whose closed addresses the SMTP server reads
     * @param addressKey what address ids are signed with, in base64
     */
    public static Ceilings start(Path project, String heap, String kafka, String addressKey)
            throws IOException, InterruptedException {
        Map<String, String> environment = Map.of(
                "ONESHOT_KAFKA_BOOTSTRAP_SERVERS",
                kafka,
                "ONESHOT_ADDRESS_KEYS",
                addressKey,
                SMTP_PORT,
                Integer.toString(LoopbackPorts.free()),
                HTTP_PORT,
                Integer.toString(LoopbackPorts.free()),
                MANAGEMENT_PORT,
                Integer.toString(LoopbackPorts.free()));
        Path jar = project.resolve("deploy/local/ceilings/target/quarkus-app/quarkus-run.jar");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heap,
                        "@" + StackSettings.jvmOptions(project),
                        "-jar",
                        jar.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        Ceilings ceilings = new Ceilings(builder.start(), environment);
        Runtime.getRuntime().addShutdownHook(new Thread(ceilings.process::destroyForcibly));
        ceilings.awaitReady();
        return ceilings;
    }

    public int smtpPort() {
        return port(SMTP_PORT);
    }

    public int httpPort() {
        return port(HTTP_PORT);
    }

    public MeasuredProcess process() {
        return new MeasuredProcess(process.toHandle());
    }

    @Override
    public void close() {
        process.toHandle().destroy();
        try {
            if (!process.waitFor(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private int port(String setting) {
        return Integer.parseInt(environment.getOrDefault(setting, ""));
    }

    private void awaitReady() throws InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port(MANAGEMENT_PORT) + "/q/health/ready");
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        try (HttpClient client = HttpClient.newHttpClient()) {
            while (!answersWell(client, uri)) {
                if (!process.isAlive() || System.nanoTime() > deadline) {
                    process.destroyForcibly();
                    throw new IllegalStateException("the server of the ceilings did not start");
                }
                Thread.sleep(CHECK_EVERY);
            }
        }
    }

    private static boolean answersWell(HttpClient client, URI uri) throws InterruptedException {
        try {
            return client.send(
                                    HttpRequest.newBuilder(uri)
                                            .timeout(Duration.ofSeconds(2))
                                            .build(),
                                    HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException notYet) {
            return false;
        }
    }
}
