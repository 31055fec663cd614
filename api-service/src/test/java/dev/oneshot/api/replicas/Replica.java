package dev.oneshot.api.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.RawHttp;
import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.backends.TemporaryBackends;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** One packaged service as a separate process. */
final class Replica {

    static final String OPERATOR_TOKEN = "operator-token-of-the-tests";

    /** The backends of all tests that stop none of them. */
    static final class Shared {
        static final LocalPostgres POSTGRES = TemporaryBackends.postgres();
        static final LocalKafka KAFKA = TemporaryBackends.kafka();

        private Shared() {}
    }

    /** An account and its key. */
    record Customer(String id, String key) {}

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Duration START_TIMEOUT = Duration.ofMinutes(5);

    private final String name;
    private final Process process;
    private final int port;
    private final int managementPort;

    private Replica(String name, Process process, int port, int managementPort) {
        this.name = name;
        this.process = process;
        this.port = port;
        this.managementPort = managementPort;
    }

    /** Starts one; {@link #awaitReady} waits for it. */
    static Replica start(String name) {
        return start(name, Map.of());
    }

    /** Starts one with further environment variables. */
    static Replica start(String name, Map<String, String> settings) {
        return start(name, "192m", Shared.POSTGRES, Shared.KAFKA, settings);
    }

    /** Starts one with a heap as {@code -Xmx} takes it, on these backends. */
    static Replica start(
            String name, String heap, LocalPostgres postgres, LocalKafka kafka, Map<String, String> settings) {
        int port = LoopbackPorts.free();
        int managementPort = LoopbackPorts.free();
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heap,
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        Path.of("target", "quarkus-app", "quarkus-run.jar").toString())
                .redirectErrorStream(true)
                .redirectOutput(logOf(name).toFile());
        builder.environment()
                .putAll(Map.of(
                        "ONESHOT_HTTP_PORT", String.valueOf(port),
                        "ONESHOT_MANAGEMENT_PORT", String.valueOf(managementPort),
                        "ONESHOT_DATABASE_URL", postgres.jdbcUrl(),
                        "ONESHOT_DATABASE_USERNAME", postgres.username(),
                        "ONESHOT_DATABASE_PASSWORD", postgres.password(),
                        "KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers(),
                        "ONESHOT_ADDRESS_KEYS", TemporaryBackends.ADDRESS_KEY,
                        "ONESHOT_API_KEY_SECRETS", TemporaryBackends.API_KEY_SECRET,
                        "ONESHOT_OPERATOR_TOKEN", OPERATOR_TOKEN));
        builder.environment().putAll(settings);
        try {
            return new Replica(name, builder.start(), port, managementPort);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitReady() {
        HttpRequest ready = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + managementPort + "/q/health/ready"))
                .build();
        Awaitility.await()
                .atMost(START_TIMEOUT)
                .ignoreExceptionsInstanceOf(UncheckedIOException.class)
                .until(() -> send(ready).statusCode() == 200);
    }

    /** A response of the public interface. */
    HttpResponse<String> send(String method, String path, String key, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json");
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return send(request.build());
    }

    /** Sends these bytes to the public interface and reads until the service closes. */
    String exchange(String request) throws IOException {
        return RawHttp.exchange(port, request);
    }

    int port() {
        return port;
    }

    int managementPort() {
        return managementPort;
    }

    /** The same for the management port. */
    String exchangeWithManagement(String request) throws IOException {
        return RawHttp.exchange(managementPort, request);
    }

    /** A response of the operator API. */
    HttpResponse<String> operate(String method, String path, String body) {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + managementPort + "/operator" + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Authorization", "Bearer " + OPERATOR_TOKEN)
                .header("Content-Type", "application/json")
                .build());
    }

    /** A new account. */
    Customer customer(String plan) {
        HttpResponse<String> created = operate("POST", "/accounts", "{\"name\":\"test\",\"plan\":\"" + plan + "\"}");
        assertThat(created.statusCode()).isEqualTo(201);
        JsonPath account = JsonPath.from(created.body());
        return new Customer(account.getString("id"), account.getString("api_key"));
    }

    /** A new address of the account with this key. */
    String address(String key) {
        return JsonPath.from(send("POST", "/v1/addresses", key, "{\"ttl_seconds\":3600}")
                        .body())
                .getString("id");
    }

    /** Waits until the mail of an address is stored. */
    void awaitReceived(String id, String key) {
        Awaitility.await()
                .atMost(START_TIMEOUT)
                .until(() -> send("GET", "/v1/addresses/" + id, key, "").body().contains("\"status\":\"received\""));
    }

    /** A scrape of its metrics. */
    String metrics() {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + managementPort + "/q/metrics"))
                        .build())
                .body();
    }

    /** Waits for its own end and returns its exit value. */
    int awaitEnd() {
        return process.onExit()
                .orTimeout(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                .join()
                .exitValue();
    }

    /** Its output so far. */
    String log() throws IOException {
        return Files.readString(logOf(name));
    }

    private static Path logOf(String name) {
        return Path.of("target", "replica-" + name + ".log");
    }

    /** Asks it to stop, as a rolling upgrade does, waits for the end, and returns its exit value. */
    int terminate() {
        process.destroy();
        return awaitEnd();
    }

    boolean isLive() {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + managementPort + "/q/health/live"))
                                .build())
                        .statusCode()
                == 200;
    }

    /** Kills it, like a power failure. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
