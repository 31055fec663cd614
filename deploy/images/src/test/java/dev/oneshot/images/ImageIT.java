package dev.oneshot.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.backends.TemporaryBackends;
import dev.oneshot.local.stack.ChildProcess;
import dev.oneshot.local.stack.Health;
import dev.oneshot.local.stack.Service;
import dev.oneshot.testing.Sql;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The migration runs first, so that the services find their tables. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ImageIT {

    private static final Duration START = Duration.ofMinutes(5);
    private static final String CACHE_OR_NOTHING = "-XX:AOTMode=on";
    private static final Pattern FROM_JAR = Pattern.compile(" source: (jrt|file|jar):");

    /** A valid cache has nearly all classes; without one there are thousands. */
    private static final int CLASSES_FROM_JARS_MAX = 100;

    private static final int ENDED_BY_SIGTERM = 143;

    @TempDir
    static Path directory;

    private static LocalPostgres postgres;
    private static LocalKafka kafka;
    private static Map<String, AssembledImage> images;

    @BeforeAll
    static void startBackends() throws Exception {
        postgres = TemporaryBackends.postgres();
        kafka = TemporaryBackends.kafka();
        images = AssembledImage.assemble(directory, AssembledImage.assembleRuntime(directory));
    }

    @Test
    @Order(1)
    void migrationEndsWithTheDatabaseMigratedAndNothingElseStarted() throws Exception {
        // Given
        Map<String, String> environment = environment(Map.of("ONESHOT_MIGRATION_ONLY", "true"));
        // No server listens there: a migration does not use Kafka.
        environment.put("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:" + LoopbackPorts.free());
        environment.put("JDK_JAVA_OPTIONS", underLimit(ChartValues.of("migration")) + " " + CACHE_OR_NOTHING);

        // When
        ChildProcess process = image(Service.API).start("migration", environment, directory);

        // Then
        assertThat(process.onExit().get(START.toSeconds(), TimeUnit.SECONDS))
                .as(() -> String.join("\n", process.lastLines()))
                .isZero();
        assertThat(new Sql(postgres.source(LocalPostgres.NAME)).texts("SELECT tablename FROM pg_tables"))
                .contains("address");
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    @Order(2)
    void serviceIsReadyFromItsCacheUnderTheLimitOfTheChartAndWritesNothingIntoTheImage(Service service)
            throws Exception {
        // Given
        AssembledImage image = image(service);
        image.makeReadOnly();
        Map<Path, String> before = image.contents();
        ChartValues chart = ChartValues.of(service.label());

        // When
        long fromJars = classesFromJars(service, underLimit(chart) + " " + chart.javaOptions());

        // Then
        assertThat(image.contents()).isEqualTo(before);
        assertThat(fromJars).as("classes that are not in the cache").isLessThan(CLASSES_FROM_JARS_MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC"})
    @Order(2)
    void collectorOfTheOperatorsChoiceTakesTheCache(String collector) throws Exception {
        assertThat(classesFromJars(Service.EXPIRY, collector)).isLessThan(CLASSES_FROM_JARS_MAX);
    }

    /** Starts a service with these JVM options, stops it when it is ready, and counts classes that its cache lacks. */
    private static long classesFromJars(Service service, String javaOptions) throws Exception {
        int management = LoopbackPorts.free();
        Path loaded = directory.resolve(service.label() + ".classes");
        ChildProcess process = image(service)
                .start(
                        service.label(),
                        environment(Map.of(
                                "JDK_JAVA_OPTIONS",
                                        javaOptions + " " + CACHE_OR_NOTHING + " -Xlog:class+load:file=" + loaded,
                                "ONESHOT_MANAGEMENT_PORT", Integer.toString(management),
                                "ONESHOT_HTTP_PORT", "0",
                                "ONESHOT_SMTP_PORT", "0",
                                "ONESHOT_MIGRATION_AT_START", "false")),
                        directory);
        try {
            process.awaitReady(() -> Health.isReady(management), _ -> {});
        } finally {
            process.handle().destroy();
        }
        assertThat(process.onExit().get(START.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ENDED_BY_SIGTERM);
        List<String> sources = Files.readAllLines(loaded).stream()
                .filter(line -> line.contains(" source: "))
                .toList();
        long fromJars = sources.stream().filter(FROM_JAR.asPredicate()).count();
        System.out.printf(
                "%s with %s: %d classes, %d of them from jars%n",
                service.label(), javaOptions, sources.size(), fromJars);
        return fromJars;
    }

    /** A JVM with this limit is not a server-class machine, and takes the serial collector by default. */
    private static String underLimit(ChartValues chart) {
        return "-XX:MaxRAM=" + chart.memoryLimit() + " -XX:+NeverActAsServerClassMachine";
    }

    private static AssembledImage image(Service service) {
        return Objects.requireNonNull(images.get(service.module()));
    }

    /** The chart's settings; the JVM must fail if it cannot use the cache. */
    private static Map<String, String> environment(Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "ONESHOT_DATABASE_URL", postgres.jdbcUrl(),
                "ONESHOT_DATABASE_USERNAME", postgres.username(),
                "ONESHOT_DATABASE_PASSWORD", postgres.password(),
                "KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers(),
                "ONESHOT_ADDRESS_KEYS", TemporaryBackends.ADDRESS_KEY,
                "ONESHOT_API_KEY_SECRETS", TemporaryBackends.API_KEY_SECRET,
                "JDK_JAVA_OPTIONS", CACHE_OR_NOTHING));
        environment.putAll(more);
        return environment;
    }
}
