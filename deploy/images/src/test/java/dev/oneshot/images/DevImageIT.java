package dev.oneshot.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.backends.Program;
import dev.oneshot.local.stack.Service;
import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The image of the whole stack: assembled on this machine from the packaged services, built with the last stage of its Dockerfile, and
 * run. Where neither podman nor Docker works, it is skipped, and a line says so.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DevImageIT {

    private static final Pattern KEY = Pattern.compile("ONESHOT_LOCAL_API_KEY=(\\S+)");
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\",\"address\":\"([^\"]+)\"");
    private static final Pattern SBOM = Pattern.compile("\"bomFormat\"\\s*:\\s*\"CycloneDX\"");
    private static final Pattern USAGE = Pattern.compile("^(\\d+)\n");
    private static final Pattern FILE_CACHE = Pattern.compile("(?m)^(?:in)?active_file (\\d+)$");

    /** Prints the memory of the container's control group, of version 2 or 1, and what it consists of. */
    private static final String MEMORY = """
            cd /sys/fs/cgroup
            for file in memory.current memory/memory.usage_in_bytes memory.stat memory/memory.stat; do
              test ! -e $file || echo "$(<$file)"
            done
            """;

    /** clients/testcontainers looks for it. */
    private static final String TAG = "localhost/oneshot-dev:test";

    /** Far above the figure in its README, which holds with the class archives of the first start. */
    private static final int MEMORY_MIB_MAX = 1200;

    private static final Duration START = Duration.ofMinutes(15);
    /** A command in a container takes much of a second of processor time. */
    private static final Duration POLL = Duration.ofSeconds(5);

    @TempDir
    private static Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private final int http = LoopbackPorts.free();
    private final int smtp = LoopbackPorts.free();
    private final String container = "oneshot-dev-test-" + http;
    private Optional<ContainerEngine> engine = Optional.empty();
    private String key = "";

    @BeforeAll
    void buildAndRun() throws Exception {
        List<String> ports = List.of("--publish=127.0.0.1:" + http + ":8080", "--publish=127.0.0.1:" + smtp + ":2525");
        engine = ContainerEngine.find(directory.resolve("engine"), "the image oneshot-dev", ports);
        assumeTrue(engine.isPresent(), "no podman or docker");
        key = firstOf(KEY, Files.readString(Path.of("dev/Dockerfile")));
        Path context = Files.createDirectories(directory.resolve("context"));
        Program.run(List.of(
                "env",
                "JAVA_HOME=" + System.getProperty("java.home"),
                Path.of("dev/assemble").toAbsolutePath().toString(),
                context.resolve("oneshot").toString()));
        succeeds("rmi", "--force", TAG);
        engine.orElseThrow().buildStack(TAG, context);
        engine.orElseThrow().start(container, TAG, ports);
        long started = System.nanoTime();
        awaitHealthy();
        System.out.printf(
                "oneshot: the image was ready after %d ms%n",
                Duration.ofNanos(System.nanoTime() - started).toMillis());
    }

    @AfterAll
    void removeContainer() {
        if (engine.isPresent()) {
            succeeds("rm", "--force", container);
        }
    }

    @Test
    @Order(1)
    void itIsReachableWithItsKeyAndDeliversMail() throws Exception {
        // Docker runs the health check by itself, podman only with systemd.
        assertThat(inspect("{{.Config.Healthcheck.Test}}")).isEqualTo("[CMD /bin/bash healthy]");
        Matcher created = ID.matcher(request("/addresses", "{}"));
        assertThat(created.find()).isTrue();

        SmtpClient.deliver(
                smtp, created.group(2), "Subject: Hello\r\n\r\nIt works.\r\n".getBytes(StandardCharsets.US_ASCII));

        await().atMost(START)
                .until(() ->
                        request("/addresses/" + created.group(1) + "/email", "").contains("It works."));
    }

    @Test
    @Order(1)
    void itsLabelsHaveVersionAndRevision() throws Exception {
        JsonNode labels = new ObjectMapper().readTree(inspect("{{json .Config.Labels}}"));

        assertThat(labels.path("org.opencontainers.image.title").asText()).isEqualTo("oneshot-dev");
        assertThat(labels.path("org.opencontainers.image.version").asText()).isEqualTo(ContainerEngine.VERSION);
        assertThat(labels.path("org.opencontainers.image.revision").asText()).isEqualTo(ContainerEngine.REVISION);
    }

    @Test
    @Order(1)
    void itListsTheLibrariesOfEachService() throws Exception {
        String lists = call("exec", container, "/bin/bash", "-c", "cat */sbom.cdx.json");

        assertThat(SBOM.matcher(lists).results()).hasSize(Service.values().length);
    }

    @Test
    @Order(2)
    void itDoesNotRunAsRootAndNeedsLittleMemory() throws Exception {
        assertThat(call("exec", container, "id", "-u").strip()).isEqualTo("10001");

        // The use of memory falls after the start.
        long mib = await().atMost(START).pollInterval(POLL).until(this::usedMib, used -> used < MEMORY_MIB_MAX);
        System.out.println("oneshot: the image uses " + mib + " MiB");
        assertThat(mib).isGreaterThan(100);
    }

    @Test
    @Order(3)
    void nothingIsKeptOverAStop() throws Exception {
        assertThat(request("/addresses", "")).contains("\"id\"");

        // The test's image has no archives of classes, and its JVMs write them as they end.
        call("stop", "--time=600", container);
        assertThat(inspect("{{.State.ExitCode}}")).isEqualTo("143");
        call("start", container);
        awaitHealthy();

        assertThat(request("/addresses", "")).doesNotContain("\"id\"");
    }

    /** Without the cache of files, which the kernel takes back when it needs memory. */
    private long usedMib() throws IOException {
        String memory = call("exec", container, "/bin/bash", "-c", MEMORY);
        long cache = FILE_CACHE
                .matcher(memory)
                .results()
                .mapToLong((MatchResult part) -> Long.parseLong(part.group(1)))
                .sum();
        return (Long.parseLong(firstOf(USAGE, memory)) - cache) >> 20;
    }

    private void awaitHealthy() {
        await().atMost(START)
                .pollInterval(POLL)
                .failFast(this::requireRunning)
                .until(() -> succeeds("exec", container, "/bin/bash", "healthy"));
    }

    private void requireRunning() throws IOException {
        if (!inspect("{{.State.Running}}").equals("true")) {
            throw new AssertionError(call("logs", container));
        }
    }

    private String request(String path, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http + "/v1" + path))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json");
        if (!body.isEmpty()) {
            request.POST(HttpRequest.BodyPublishers.ofString(body));
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private String inspect(String format) throws IOException {
        return call("inspect", "--format", format, container).strip();
    }

    private boolean succeeds(String command, String... arguments) {
        try {
            call(command, arguments);
            return true;
        } catch (IOException | IllegalStateException failed) {
            return false;
        }
    }

    private String call(String command, String... arguments) throws IOException {
        return engine.orElseThrow().call(command, List.of(arguments));
    }

    private static String firstOf(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        assertThat(found.find()).as(pattern.pattern()).isTrue();
        return found.group(1);
    }
}
