package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.Main;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.RecordedProcess;
import dev.oneshot.local.stack.StackSettings;
import dev.oneshot.local.stack.Welcome;
import dev.oneshot.local.stack.junit.SharedStack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** {@code ./oneshot up} on the packaged services, and all that it prints; the mailer is run from outside of the stack. */
@DisabledIfSystemProperty(named = "oneshot.native", matches = "true", disabledReason = "the script starts JVMs")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Order(1)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class UpIT {

    private static final Path PROJECT = Path.of(System.getProperty("oneshot.project"));
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String OPERATOR_TOKEN = "chosen-by-the-test";
    /** The public secret and key of the image of the whole stack. */
    private static final String API_KEY_SECRET = ofDevImage("ONESHOT_API_KEY_SECRETS");

    private static final String API_KEY = ofDevImage("ONESHOT_LOCAL_API_KEY");
    private static final List<String> PARTS = List.of("api", "ingest", "mailer", "expiry", "kafka");
    private static final Pattern SHELL_BLOCK =
            Pattern.compile("(?m)^```\n(\\. \\.oneshot/try; .*|printf .*|TO=.*)\n```$");

    private Path project;
    private Path out;
    private StackSettings ports;
    private Process up;
    private Process mailer;

    /** A project folder with links to the parts of this one. */
    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        project = folder.toRealPath();
        out = project.resolve("out.txt");
        for (String file : List.of("oneshot", "pom.xml")) {
            Files.copy(PROJECT.resolve(file), project.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
        for (String part :
                List.of("api-service", "smtp-ingest-service", "outbound-mailer-service", "expiry-service", "deploy")) {
            Files.createSymbolicLink(project.resolve(part), PROJECT.resolve(part));
        }
        // Readable by others, and already built.
        Path logs = Files.createDirectories(project.resolve(".oneshot/logs"));
        Files.writeString(logs.resolve("api.log"), "before\n");
        Files.writeString(project.resolve(".oneshot/built"), "");
        Files.setPosixFilePermissions(project.resolve(".oneshot"), PosixFilePermissions.fromString("rwxr-xr-x"));

        ProcessBuilder builder = new ProcessBuilder(
                        "bash", "-c", "umask 022 && exec ./oneshot up --without outbound-mailer-service")
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("ONESHOT_SMTP_TLS", "self-signed");
        environment.put("ONESHOT_OPERATOR_TOKEN", OPERATOR_TOKEN);
        environment.put("ONESHOT_API_KEY_SECRETS", API_KEY_SECRET);
        environment.put("ONESHOT_LOCAL_API_KEY", API_KEY);
        ports = StackSettings.onFreePorts(project, state());
        for (Port port : Port.values()) {
            environment.put(port.setting(), Integer.toString(ports.port(port)));
        }
        up = builder.start();
        await().atMost(LONG).until(() -> !up.isAlive() || output().contains("echo\n"));
        assertThat(up.isAlive()).as(output()).isTrue();
        mailer = ownMailer();
    }

    /** Starts the mailer as a developer does. */
    private Process ownMailer() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder = new ProcessBuilder(
                        "bash",
                        "-c",
                        "set -a; . .oneshot/outbound-mailer-service.env; exec \"$0\" -XX:TieredStopAtLevel=1 -Xmx128m"
                                + " -jar outbound-mailer-service/target/quarkus-app/quarkus-run.jar",
                        java)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(project.resolve("mailer.txt").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("ONESHOT_"));
        return builder.start();
    }

    @AfterAll
    void endWhatIsLeft() throws Exception {
        up.destroyForcibly().waitFor();
        mailer.destroyForcibly().waitFor();
        RecordedProcess.read(state(), Main.STACK)
                .ifPresent(stack -> stack.process().destroyForcibly());
        RecordedProcess.endLeftovers(state(), Main.STACK, left -> {});
    }

    @Test
    @Order(1)
    void theTerminalShowsTheStackAloneAndNotTheKey() throws IOException {
        assertThat(output())
                .startsWith("starting PostgreSQL, Kafka and the four services …\n")
                .contains("\noneshot is ready.", "outbound-mailer-service is stopped. Run your own", Welcome.TRY_OUT)
                .doesNotContain("INFO", secret("demo-api-key"), "\033");
    }

    @Test
    @Order(1)
    void statusShowsThePortsOfUpWithoutItsVariables() throws Exception {
        await().atMost(LONG).untilAsserted(() -> {
            Process status = new ProcessBuilder("./oneshot", "status")
                    .directory(project.toFile())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(status.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(said)
                    .containsPattern("api +[0-9]+ +" + ports.port(Port.API_MANAGEMENT) + " +ready")
                    .containsPattern("mailer +- +" + ports.port(Port.MAILER_MANAGEMENT) + " +ready");
            assertThat(status.waitFor()).as(said).isZero();
        });
    }

    @Test
    @Order(1)
    void theCommandsOfTheReadmeWorkOnThePortsOfTheStack() throws Exception {
        List<String> commands = SHELL_BLOCK
                .matcher(Files.readString(PROJECT.resolve("README.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(String.join("\n", commands)).startsWith(Welcome.TRY_OUT.strip());

        Process shell = new ProcessBuilder("bash", "-c", String.join("\n", commands))
                .directory(project.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said).contains("It works.", "Hello from the other side");
        assertThat(secret("demo-api-key")).isEqualTo(API_KEY);
    }

    @Test
    @Order(1)
    void startTlsIsOfferedWithACertificateOfItsOwn() throws Exception {
        assertThat(StartTlsIT.subjectAfterStartTls(ports.port(Port.SMTP), "TLSv1.3"))
                .isEqualTo("CN=in.oneshot.localhost");
    }

    @Test
    @Order(1)
    void nothingOfItsStateIsReadableByOthers() throws IOException {
        try (Stream<Path> files = Files.walk(state())) {
            assertThat(files.filter(file -> !Files.isSymbolicLink(file)))
                    .contains(
                            state().resolve("logs/api.log"),
                            state().resolve("smtp-tls.p12"),
                            state().resolve("outbound-mailer-service.env"))
                    .allSatisfy(file -> assertThat(Files.getPosixFilePermissions(file))
                            .doesNotContainAnyElementsOf(Set.of(
                                    PosixFilePermission.GROUP_READ,
                                    PosixFilePermission.GROUP_WRITE,
                                    PosixFilePermission.OTHERS_READ,
                                    PosixFilePermission.OTHERS_WRITE)));
        }
    }

    @Test
    @Order(1)
    void eachServiceHasItsOwnSecretsAlone() throws IOException {
        assertThat(holders(OPERATOR_TOKEN)).containsExactly("api");
        assertThat(holders(API_KEY)).isEmpty();
        assertThat(holders(secret("address-key"))).containsExactlyInAnyOrder("api", "ingest");
        assertThat(holders(API_KEY_SECRET)).containsExactly("api");
        assertThat(holders(secret("database-password"))).containsExactly("api");
        assertThat(holders(secret("expiry-database-password"))).containsExactly("expiry");
    }

    @Test
    @Order(2)
    void anOrdinaryStopIsQuiet() throws Exception {
        Map<String, Long> before = new HashMap<>();
        for (String part : PARTS) {
            before.put(part, log(part).count());
        }

        mailer.destroy();
        mailer.waitFor();
        up.destroy();

        assertThat(up.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(output()).endsWith("\nstopping …\nstopped; data is kept in " + state() + "\n");
        assertThat(state().resolve("try")).doesNotExist();
        assertThat(state().resolve("outbound-mailer-service.env")).doesNotExist();
        for (String part : PARTS) {
            assertThat(log(part).skip(before.getOrDefault(part, 0L)))
                    .noneMatch(line -> line.matches("\\S+ (WARN|ERROR|FATAL) .*"));
        }
    }

    private static String ofDevImage(String variable) {
        try {
            String dockerfile = Files.readString(PROJECT.resolve("deploy/images/dev/Dockerfile"));
            Matcher set = Pattern.compile(variable + "=(\\S+)").matcher(dockerfile);
            assertThat(set.find()).as(variable).isTrue();
            return set.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Stream<String> log(String part) throws IOException {
        return Files.readAllLines(state().resolve("logs").resolve(part + ".log")).stream();
    }

    private String secret(String name) throws IOException {
        return Files.readString(state().resolve(name)).strip();
    }

    private List<String> holders(String secret) throws IOException {
        return RecordedProcess.readAll(state()).stream()
                .filter(part -> !part.label().equals(Main.STACK))
                .filter(part -> environ(part.process()).contains(secret))
                .map(RecordedProcess::label)
                .toList();
    }

    private static String environ(ProcessHandle process) {
        try {
            Path environ = Path.of("/proc", Long.toString(process.pid()), "environ");
            return Files.readString(environ, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String output() throws IOException {
        return Files.readString(out);
    }

    private Path state() {
        return project.resolve(".oneshot");
    }
}
