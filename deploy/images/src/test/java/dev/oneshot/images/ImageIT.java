package dev.oneshot.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.oneshot.helm.Chart;
import dev.oneshot.helm.Container;
import dev.oneshot.helm.Manifests;
import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.backends.TemporaryBackends;
import dev.oneshot.local.stack.ChildProcess;
import dev.oneshot.local.stack.Health;
import dev.oneshot.local.stack.Service;
import dev.oneshot.testing.Sql;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The containers of the chart, with its environment and its memory limits: each as a process, and as a container where podman or
 * Docker works. The migration runs first, so that the services find their tables.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ImageIT {

    private static final Duration START = Duration.ofMinutes(15);
    private static final String MIGRATION = "migration";

    /** The JVM must fail if it cannot use the cache. */
    private static final String CACHE_OR_NOTHING = "-XX:AOTMode=on";

    private static final Pattern CLASSIFIER = Pattern.compile("[?&]classifier=([^&]+)");

    private static final Pattern FROM_JAR = Pattern.compile(" source: (jrt|file|jar):");

    /** A valid cache has nearly all classes; without one there are thousands. */
    private static final int CLASSES_FROM_JARS_MAX = 100;

    private static final int ENDED_BY_SIGTERM = 143;

    /** Why a JVM takes no cache. */
    enum Unusable {
        ABSENT(""),
        CUT(""),
        OF_OTHER_JARS(""),
        OF_ANOTHER_LAYOUT("-XX:-UseCompactObjectHeaders"),
        OF_ANOTHER_COLLECTOR("-XX:+UseZGC");

        private final String jvmOption;

        Unusable(String jvmOption) {
            this.jvmOption = jvmOption;
        }
    }

    @TempDir
    static Path directory;

    private static LocalPostgres postgres;
    private static Map<String, AssembledImage> images;
    private static Manifests manifests;
    private static Map<String, String> secrets;
    private static final long NANOS_IN_SECOND = 1_000_000_000;

    private static Optional<ContainerEngine> engine = Optional.empty();
    /** Tags of the images that the engine has, by module. */
    private static final Map<String, String> BUILT = new TreeMap<>();

    @BeforeAll
    static void startBackends() throws Exception {
        postgres = TemporaryBackends.postgres();
        LocalKafka kafka = TemporaryBackends.kafka();
        engine = ContainerEngine.find(
                directory.resolve("engine"), "the images of the services as containers", ContainerEngine.POD);
        images = AssembledImage.assemble(directory, AssembledImage.assembleRuntime(directory));
        URI database = URI.create(postgres.jdbcUrl().substring("jdbc:".length()));
        secrets = Map.of(
                "postgres/username",
                postgres.username(),
                "postgres/password",
                postgres.password(),
                "keys/address-keys",
                TemporaryBackends.ADDRESS_KEY,
                "keys/api-key-secrets",
                TemporaryBackends.API_KEY_SECRET,
                "keys/operator-token",
                "of-at-least-16-characters");
        manifests = Chart.install(Chart.smallestWith(
                """
                secrets:
                  addressKeys: {existingSecret: keys}
                  apiKeySecrets: {existingSecret: keys}
                  operatorToken: {existingSecret: keys}
                database: {host: %s, port: %d}
                kafka: {bootstrapServers: "%s"}
                mailer: {enabled: true}
                relay: {host: 127.0.0.1, port: 9, tls: none}
                migration: {enabled: true}
                logging: {json: true}
                """.formatted(database.getHost(), database.getPort(), kafka.bootstrapServers()), directory));
    }

    @AfterAll
    static void removeImages() throws Exception {
        for (String tag : BUILT.values()) {
            engine.orElseThrow().remove(tag);
        }
    }

    @Test
    @Order(1)
    void migrationEndsWithTheDatabaseMigratedAndNothingElseStarted() throws Exception {
        // When
        ChildProcess process = start(MIGRATION, image(MIGRATION), CACHE_OR_NOTHING, Map.of());

        // Then
        assertThat(exitOf(process))
                .as(() -> String.join("\n", process.lastLines()))
                .isZero();
        assertEveryLineIsJson(MIGRATION, "database migrated");
        assertThat(new Sql(postgres.source(LocalPostgres.NAME)).texts("SELECT tablename FROM pg_tables"))
                .contains("address");
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    @Order(2)
    void serviceIsReadyFromItsCacheUnderTheLimitOfTheChartAndWritesNothingIntoTheImage(Service service)
            throws Exception {
        // Given
        AssembledImage image = image(service.label());
        image.makeReadOnly();
        Map<Path, String> before = image.contents();

        // When
        long fromJars = classesFromJars(service, image, CACHE_OR_NOTHING);

        // Then
        assertThat(image.contents()).isEqualTo(before);
        assertThat(fromJars).as("classes that are not in the cache").isLessThan(CLASSES_FROM_JARS_MAX);
        assertEveryLineIsJson(service.label(), " stopped in ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC"})
    @Order(2)
    void collectorOfTheOperatorsChoiceTakesTheCache(String collector) throws Exception {
        AssembledImage image = image(Service.EXPIRY.label());
        assertThat(classesFromJars(Service.EXPIRY, image, CACHE_OR_NOTHING + " " + collector))
                .isLessThan(CLASSES_FROM_JARS_MAX);
    }

    @ParameterizedTest
    @EnumSource
    @Order(2)
    void cacheThatCannotBeUsedStopsNoStartAndPrintsNoText(Unusable cache) throws Exception {
        // Given
        AssembledImage image = image(Service.EXPIRY.label()).copy(directory.resolve(cache.name()));
        Path file = image.directory().resolve("app.aot");
        switch (cache) {
            case ABSENT -> Files.delete(file);
            case CUT -> Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 1_000_000));
            case OF_OTHER_JARS ->
                Files.setLastModifiedTime(image.directory().resolve("quarkus-run.jar"), FileTime.from(Instant.EPOCH));
            case OF_ANOTHER_LAYOUT, OF_ANOTHER_COLLECTOR -> {}
        }

        // Then
        assertThat(classesFromJars(Service.EXPIRY, image, cache.jvmOption)).isGreaterThan(CLASSES_FROM_JARS_MAX);
        assertEveryLineIsJson(Service.EXPIRY.label(), " stopped in ");
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    @Order(2)
    void imageListsEveryLibraryInIt(Service service) throws Exception {
        Path app = image(service.label()).directory();
        JsonNode components = new ObjectMapper()
                .readTree(app.resolve("sbom.cdx.json").toFile())
                .path("components");
        Set<String> listed = new HashSet<>();
        for (JsonNode component : components) {
            Matcher classifier = CLASSIFIER.matcher(component.path("purl").asText());
            listed.add("%s.%s-%s%s"
                    .formatted(
                            component.path("group").asText(),
                            component.path("name").asText(),
                            component.path("version").asText(),
                            classifier.find() ? "-" + classifier.group(1) : ""));
        }

        try (Stream<Path> files = Files.walk(app.resolve("lib"))) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(file -> file.endsWith(".jar"))
                            .map(file -> file.substring(0, file.length() - ".jar".length())))
                    .hasSizeGreaterThan(50)
                    .isSubsetOf(listed);
        }
    }

    /** As Kubernetes does: layers, a read-only root, a user without rights, and the limit of the chart. */
    @ParameterizedTest
    @ValueSource(strings = {MIGRATION, "api", "ingest", "mailer", "expiry"})
    @Order(3)
    void containerRunsFromItsCache(String component) throws Exception {
        // Given
        String tag = built(component);
        String label = component + "-container";
        Container container = container(component);
        int management = LoopbackPorts.free();

        // When
        ChildProcess process = ChildProcess.start(
                label,
                engine.orElseThrow()
                        .run(
                                tag,
                                container,
                                options(label, container, CACHE_OR_NOTHING),
                                Container.onLoopback(management)),
                Map.of(),
                directory,
                _ -> {});
        if (!component.equals(MIGRATION)) {
            awaitReadyAndStop(process, management);
        }

        // Then
        assertThat(exitOf(process))
                .as(() -> String.join("\n", process.lastLines()))
                .isEqualTo(component.equals(MIGRATION) ? 0 : ENDED_BY_SIGTERM);
        assertEveryLineIsJson(label, component.equals(MIGRATION) ? "database migrated" : " stopped in ");
    }

    /** Builders round times as they copy files, and a cache is valid only for jars with the times that it recorded. */
    @ParameterizedTest
    @EnumSource(Service.class)
    @Order(2)
    void timesOfFilesAreWholeSeconds(Service service) throws Exception {
        try (Stream<Path> files = Files.walk(image(service.label()).directory())) {
            assertThat(files.filter(file -> file.toString().endsWith(".jar")))
                    .hasSizeGreaterThan(50)
                    .allSatisfy(file -> assertThat(
                                    Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS) % NANOS_IN_SECOND)
                            .isZero());
        }
    }

    @Test
    @Order(3)
    void imagesSayWhatTheyAreAndShareTheLayerOfTheRuntime() throws Exception {
        JsonNode api = engineKnows("api");
        JsonNode expiry = engineKnows("expiry");

        assertThat(api.at("/Config/Labels").properties())
                .contains(
                        Map.entry("org.opencontainers.image.title", text("oneshot-api-service")),
                        Map.entry("org.opencontainers.image.version", text(ContainerEngine.VERSION)),
                        Map.entry("org.opencontainers.image.revision", text(ContainerEngine.REVISION)),
                        Map.entry("org.opencontainers.image.licenses", text("Apache-2.0")));
        for (int layer : List.of(0, 1)) {
            assertThat(api.at("/RootFS/Layers").path(layer).asText())
                    .isNotEmpty()
                    .isEqualTo(expiry.at("/RootFS/Layers").path(layer).asText());
        }
    }

    private static JsonNode engineKnows(String component) throws Exception {
        String tag = built(component);
        return engine.orElseThrow().inspect(tag);
    }

    private static JsonNode text(String text) {
        return TextNode.valueOf(text);
    }

    /** Builds the image of a component unless it is there, and returns its tag. */
    private static String built(String component) throws Exception {
        assumeTrue(engine.isPresent(), "no podman or docker");
        AssembledImage image = image(component);
        String module = image.directory().getFileName().toString();
        String tag = "oneshot-image-test-" + module;
        if (!BUILT.containsKey(module)) {
            engine.orElseThrow().build(tag, image, directory.resolve(tag));
            BUILT.put(module, tag);
        }
        return tag;
    }

    /** Starts a service with these further JVM options, stops it when it is ready, and counts classes that its cache lacks. */
    private static long classesFromJars(Service service, AssembledImage image, String jvmOptions) throws Exception {
        int management = LoopbackPorts.free();
        Path loaded = directory.resolve(service.label() + ".classes");
        ChildProcess process = start(
                service.label(),
                image,
                jvmOptions + " -Xlog:class+load:file=" + loaded,
                Container.onLoopback(management));
        awaitReadyAndStop(process, management);
        assertThat(exitOf(process)).isEqualTo(ENDED_BY_SIGTERM);
        List<String> sources = Files.readAllLines(loaded).stream()
                .filter(line -> line.contains(" source: "))
                .toList();
        long fromJars = sources.stream().filter(FROM_JAR.asPredicate()).count();
        System.out.printf(
                "%s with %s: %d classes, %d of them from jars%n",
                service.label(), jvmOptions, sources.size(), fromJars);
        return fromJars;
    }

    /** A process whose JVM has the container's limit. It is then no server-class machine, and takes the serial collector by default. */
    private static ChildProcess start(
            String component, AssembledImage image, String jvmOptions, Map<String, String> more) throws IOException {
        Container container = container(component);
        Map<String, String> environment = new HashMap<>(container.environmentOutside());
        environment.putAll(more);
        String limit =
                "-XX:MaxRAM=" + AssembledImage.jvmSize(container.memoryLimit()) + " -XX:+NeverActAsServerClassMachine ";
        Path options = options(component, container, limit + jvmOptions);
        return ChildProcess.start(component, image.command(options), environment, directory, _ -> {});
    }

    private static void awaitReadyAndStop(ChildProcess process, int management) {
        try {
            process.awaitReady(() -> Health.isReady(management), _ -> {});
        } finally {
            process.handle().destroy();
        }
    }

    private static int exitOf(ChildProcess process) throws Exception {
        return process.onExit().get(START.toSeconds(), TimeUnit.SECONDS);
    }

    /** Writes the file of a pod's JVM options with further ones, and returns its folder. */
    private static Path options(String label, Container container, String more) throws IOException {
        Path folder = Files.createDirectories(directory.resolve("options").resolve(label));
        Files.writeString(folder.resolve("options"), container.jvmOptions() + " " + more);
        return folder;
    }

    private static Container container(String component) throws IOException {
        return Container.of(manifests, component, secrets, directory.resolve("mounts"));
    }

    private static AssembledImage image(String component) {
        return Objects.requireNonNull(images.get(Container.MODULES.get(component)));
    }

    /** The log is complete, and each line of it an object. */
    private static void assertEveryLineIsJson(String label, String complete) {
        ObjectMapper json = new ObjectMapper();
        await().atMost(START).untilAsserted(() -> {
            List<String> lines = Files.readAllLines(directory.resolve(label + ".log"));
            assertThat(lines).anyMatch(line -> line.contains(complete));
            for (String line : lines) {
                assertThat(line).startsWith("{");
                assertThat(json.readTree(line).isObject()).isTrue();
            }
        });
    }
}
