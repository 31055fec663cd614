package dev.oneshot.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * The image of the whole stack, built from the packaged services and run. Without podman or Docker, or without its base images, it
 * is skipped, and a line says so.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DevImageIT {

    private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();
    private static final String DOCKERFILE = "deploy/images/dev/Dockerfile";
    private static final Pattern BASE = Pattern.compile("(?m)^ARG \\w+_BASE=(\\S+)$");
    private static final Pattern KEY = Pattern.compile("ONESHOT_LOCAL_API_KEY=(\\S+)");
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\",\"address\":\"([^\"]+)\"");
    private static final Pattern USAGE = Pattern.compile("([0-9.]+)(kB|MB|MiB|GB|GiB)");

    /** clients/testcontainers looks for it. */
    private static final String TAG = "localhost/oneshot-dev:test";

    private static final int MEMORY_MIB_MAX = 900;
    private static final Duration START = Duration.ofMinutes(5);
    private static final Duration BUILD = Duration.ofMinutes(20);
    private static final Duration CALL = Duration.ofMinutes(2);

    @TempDir
    private static Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private final int http = LoopbackPorts.free();
    private final int smtp = LoopbackPorts.free();
    private String engine = "";
    private String container = "";
    private String key = "";

    @BeforeAll
    void buildAndRun() throws Exception {
        String dockerfile = Files.readString(PROJECT.resolve(DOCKERFILE));
        List<String> bases = BASE.matcher(dockerfile)
                .results()
                .map((MatchResult base) -> base.group(1))
                .toList();
        key = firstOf(KEY, dockerfile);
        engine = engine(bases);
        List<String> build = new ArrayList<>(
                List.of("build", "-f", PROJECT.resolve(DOCKERFILE).toString(), "-t", TAG));
        if (engine.equals("podman")) {
            build.addAll(List.of("--format", "docker"));
        }
        build.add(packaged().toString());
        run(BUILD, build);
        container = run(
                        CALL,
                        List.of(
                                "run",
                                "-d",
                                "-p",
                                "127.0.0.1:" + http + ":8080",
                                "-p",
                                "127.0.0.1:" + smtp + ":2525",
                                TAG))
                .strip();
        long started = System.nanoTime();
        await().atMost(START).until(() -> logs().contains("oneshot is ready."));
        System.out.printf(
                "oneshot: the image was ready after %d ms%n",
                Duration.ofNanos(System.nanoTime() - started).toMillis());
    }

    @AfterAll
    void removeContainer() throws Exception {
        if (!container.isEmpty()) {
            run(CALL, List.of("rm", "-f", container));
        }
    }

    @Test
    @Order(1)
    void itIsHealthyAndReachableWithItsKeyAndDeliversMail() throws Exception {
        // podman runs health checks itself only where systemd is.
        assertThat(inspect("{{.Config.Healthcheck.Test}}")).isEqualTo("[CMD /bin/bash healthy]");
        assertThat(call(engine, CALL, List.of("exec", container, "/bin/bash", "healthy"))
                        .exitCode())
                .isZero();
        Matcher created = ID.matcher(request("/addresses", "{}"));
        assertThat(created.find()).isTrue();

        SmtpClient.deliver(
                smtp, created.group(2), "Subject: Hello\r\n\r\nIt works.\r\n".getBytes(StandardCharsets.US_ASCII));

        await().atMost(START)
                .until(() ->
                        request("/addresses/" + created.group(1) + "/email", "").contains("It works."));
    }

    @Test
    @Order(2)
    void itIsNoRootAndNeedsLittleMemory() throws Exception {
        assertThat(run(CALL, List.of("exec", container, "id", "-u")).strip()).isEqualTo("10001");
        String usage = run(CALL, List.of("stats", "--no-stream", "--format", "{{.MemUsage}}", container));
        System.out.println("oneshot: the image uses " + usage.strip());

        Matcher used = USAGE.matcher(usage);
        assertThat(used.find()).as(usage).isTrue();
        double mib = Double.parseDouble(used.group(1))
                * switch (used.group(2)) {
                    case "kB" -> 1000 / 1048576.0;
                    case "MB" -> 1e6 / 1048576;
                    case "MiB" -> 1;
                    case "GB" -> 1e9 / 1048576;
                    default -> 1024;
                };
        assertThat(mib).isLessThan(MEMORY_MIB_MAX);
    }

    @Test
    @Order(3)
    void nothingIsKeptOverAStop() throws Exception {
        assertThat(request("/addresses", "")).contains("\"id\"");

        run(CALL, List.of("stop", "-t", "60", container));
        assertThat(inspect("{{.State.ExitCode}}")).isNotEqualTo("137");
        assertThat(logs()).endsWith("stopped\n");
        run(CALL, List.of("start", container));
        await().atMost(START).until(() -> logs().split("oneshot is ready\\.", -1).length == 3);

        assertThat(request("/addresses", "")).doesNotContain("\"id\"");
    }

    /** The name of a program that has the base images and runs containers. A test pulls nothing. */
    private String engine(List<String> bases) throws Exception {
        StringBuilder why = new StringBuilder();
        for (String program : List.of("podman", "docker")) {
            try {
                for (String base : bases) {
                    require(call(program, CALL, List.of("image", "inspect", base)));
                }
                require(call(program, CALL, List.of("run", "--rm", bases.getLast(), "true")));
                return program;
            } catch (IOException | IllegalStateException unusable) {
                why.append(' ').append(program).append(": ").append(unusable.getMessage());
            }
        }
        String line = "########## NOT TESTED: the image oneshot-dev:"
                + why.toString().replaceAll("\\s+", " ") + " ##########";
        System.out.println("oneshot: " + line);
        return abort(line);
    }

    /** A build context with what Maven has packaged, so that the Dockerfile builds none of it. */
    private Path packaged() throws IOException {
        Path context = directory.resolve("context");
        List<String> files = new ArrayList<>(List.of("pom.xml", "deploy/images", "deploy/local/stack/target"));
        for (Service service : Service.values()) {
            files.add(service.module() + "/target/quarkus-app");
        }
        for (String file : files) {
            Path copy = context.resolve(file);
            Files.createDirectories(copy.getParent());
            Program.run(List.of("cp", "-Rp", PROJECT.resolve(file).toString(), copy.toString()));
        }
        return context;
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

    private String logs() throws Exception {
        return call(engine, CALL, List.of("logs", container)).all();
    }

    private String inspect(String format) throws Exception {
        return run(CALL, List.of("inspect", "--format", format, container)).strip();
    }

    private String run(Duration timeout, List<String> words) throws Exception {
        return require(call(engine, timeout, words));
    }

    private static String require(Program.Result result) {
        if (result.exitCode() != 0) {
            throw new IllegalStateException(result.all().strip());
        }
        return result.out();
    }

    private Program.Result call(String program, Duration timeout, List<String> words)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(words);
        return Program.run(directory, Map.of(), timeout, command);
    }

    private static String firstOf(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        assertThat(found.find()).as(pattern.pattern()).isTrue();
        return found.group(1);
    }
}
