package dev.oneshot.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.backends.TemporaryBackends;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The migration goes first, as in an installation: the services then find their tables. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ImageIT {

    private static final Duration START = Duration.ofSeconds(60);
    private static final int ENDED_BY_SIGTERM = 143;

    @TempDir
    static Path directory;

    private static LocalPostgres postgres;
    private static LocalKafka kafka;
    private static Path runtime;

    @BeforeAll
    static void startBackends() throws Exception {
        postgres = TemporaryBackends.postgres();
        kafka = TemporaryBackends.kafka();
        runtime = AssembledImage.assembleRuntime(directory);
    }

    @Test
    @Order(1)
    void migrationEndsWithTheDatabaseMigratedAndNothingElseStarted() throws Exception {
        // Given
        AssembledImage image = image("api-service");
        Path log = directory.resolve("migration.log");

        // When
        Process process = image.start(
                environment(Map.of(
                        "ONESHOT_MIGRATE_ONLY",
                        "true",
                        // Nobody listens there: a migration does not ask Kafka.
                        "ONESHOT_KAFKA_BOOTSTRAP_SERVERS",
                        "127.0.0.1:" + LoopbackPorts.free())),
                log);

        // Then
        assertThat(process.waitFor(START.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(log)).isZero();
        assertThat(tables()).contains("address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"api-service", "smtp-ingest-service", "outbound-mailer-service", "expiry-service"})
    @Order(2)
    void serviceIsReadyFromItsCacheAndWritesNothingIntoTheImage(String service) throws Exception {
        // Given
        AssembledImage image = image(service);
        Map<Path, String> before = image.contents();
        int management = LoopbackPorts.free();
        Path log = directory.resolve(service + ".log");

        // When
        Process process = image.start(
                environment(Map.of(
                        "ONESHOT_MANAGEMENT_PORT", Integer.toString(management),
                        "ONESHOT_HTTP_PORT", "0",
                        "ONESHOT_SMTP_PORT", "0",
                        "ONESHOT_DATABASE_MIGRATE_AT_START", "false")),
                log);

        // Then
        try {
            await().atMost(START)
                    .failFast(() -> assertThat(process.isAlive())
                            .as(Files.readString(log))
                            .isTrue())
                    .until(() -> isReady(management));
            assertThat(image.contents()).isEqualTo(before);
        } finally {
            process.destroy();
        }
        assertThat(process.waitFor(START.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(ENDED_BY_SIGTERM);
    }

    /** Assembled once: the migration and the service run from the same image. */
    private static AssembledImage image(String service) throws IOException, InterruptedException {
        Path contents = directory.resolve(service);
        return Files.exists(contents)
                ? new AssembledImage(contents, runtime)
                : AssembledImage.assemble(service, contents, runtime);
    }

    /** As the chart sets it; the JVM is to end if it cannot use the cache. */
    private static Map<String, String> environment(Map<String, String> more) throws IOException {
        Map<String, String> environment = new HashMap<>(Map.of(
                "ONESHOT_DATABASE_URL", postgres.jdbcUrl(),
                "ONESHOT_DATABASE_USERNAME", postgres.username(),
                "ONESHOT_DATABASE_PASSWORD", postgres.password(),
                "ONESHOT_KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers(),
                "ONESHOT_ADDRESS_KEYS", TemporaryBackends.ADDRESS_KEY,
                "JDK_JAVA_OPTIONS", "-XX:AOTMode=on"));
        environment.putAll(more);
        return environment;
    }

    private static boolean isReady(int port) throws InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI ready = URI.create("http://127.0.0.1:" + port + "/q/health/ready");
            return client.send(HttpRequest.newBuilder(ready).build(), BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private static String tables() throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(postgres.jdbcUrl(), postgres.username(), postgres.password());
                Statement statement = connection.createStatement();
                ResultSet names = statement.executeQuery(
                        "SELECT string_agg(tablename, ' ') FROM pg_tables WHERE schemaname = 'public'")) {
            names.next();
            return names.getString(1);
        }
    }
}
