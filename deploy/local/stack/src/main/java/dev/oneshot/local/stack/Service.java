package dev.oneshot.local.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The four services.
 *
 * <p>Their JVM options are those of a pod of the chart; a JVM would choose others on a whole machine.
 */
public enum Service {
    API(
            "api",
            "api-service",
            Port.API_MANAGEMENT,
            "512m",
            Options.GIVES_BACK,
            Settings.of(
                    "ACCOUNT_ ADDRESS_ API_KEY_ CONSOLE_ DATABASE_ HTTP_ IDEMPOTENCY_ INBOX_ KAFKA_ LETTERS_ MANAGEMENT_"
                            + " MIGRATION_ OPERATOR_ PLANS_ SENDING_ RECEIVE_DOMAIN SEND_DOMAIN UPGRADE_URL")),
    /** A large heap for many large mails, of which most is returned afterwards: decision 22. */
    INGEST(
            "ingest",
            "smtp-ingest-service",
            Port.INGEST_MANAGEMENT,
            "184m",
            List.of(
                    "-XX:+UseG1GC",
                    "-Xms64m",
                    "-XX:MinHeapFreeRatio=20",
                    "-XX:MaxHeapFreeRatio=40",
                    "-XX:GCTimeRatio=9",
                    "-XX:-G1UseAdaptiveIHOP",
                    "-XX:InitiatingHeapOccupancyPercent=40",
                    "-XX:G1PeriodicGCInterval=5000",
                    // Without this, the thread that writes to Kafka keeps a copy of the largest mail outside the
                    // heap.
                    "-Djdk.nio.maxCachedBufferSize=262144"),
            Settings.of(
                    "ADDRESS_KEYS ADDRESS_KEYS_ AUTHENTICATION_ DELIVERY_ DNS_ MANAGEMENT_ RECIPIENT_ SMTP_ RECEIVE_DOMAIN"
                            + " SEND_DOMAIN")),
    MAILER(
            "mailer",
            "outbound-mailer-service",
            Port.MAILER_MANAGEMENT,
            "512m",
            Options.GIVES_BACK,
            Settings.of("DKIM_ MAILER_ MANAGEMENT_ RELAY_ SEND_DOMAIN")),
    /** Has one batch of rows in memory at most. */
    EXPIRY(
            "expiry",
            "expiry-service",
            Port.EXPIRY_MANAGEMENT,
            "512m",
            List.of("-XX:+UseSerialGC", "-Xms16m"),
            Settings.of("DATABASE_ EXPIRY_ MANAGEMENT_"));

    private final String label;
    private final String module;
    private final Port management;
    private final String heap;

    @SuppressWarnings("ImmutableEnumChecker") // Made by List.of.
    private final List<String> jvmOptions;

    @SuppressWarnings("ImmutableEnumChecker") // Made by Set.of.
    private final Settings settings;

    Service(String label, String module, Port management, String heap, List<String> jvmOptions, Settings settings) {
        this.label = label;
        this.module = module;
        this.management = management;
        this.heap = heap;
        this.jvmOptions = jvmOptions;
        this.settings = settings;
    }

    /** The prefix of its log lines. */
    public String label() {
        return label;
    }

    /** Its management port. */
    public Port management() {
        return management;
    }

    /** The largest heap, as {@code -Xmx} takes it. */
    public String heap() {
        return heap;
    }

    /** Further options of its JVM: the collector, and the heap except for its largest size. */
    public List<String> jvmOptions() {
        return jvmOptions;
    }

    /** Whether an environment variable may be a setting of this service, which checks the whole name. */
    boolean reads(String variable) {
        return settings.include(variable);
    }

    /** The service of a module, as in {@code api-service}. */
    static Service ofModule(String module) {
        for (Service service : values()) {
            if (service.module.equals(module)) {
                return service;
            }
        }
        throw new StackException("no service called " + module);
    }

    /** Its folder in the source tree. */
    public String module() {
        return module;
    }

    /** Its packaged jar. */
    public Path jar(Path project) {
        return project.resolve(module).resolve("target/quarkus-app/quarkus-run.jar");
    }

    /**
     * The native binary that {@code ./oneshot native} builds.
     *
     * @throws StackException if there is none
     */
    Path binary(Path project) {
        Path target = project.resolve(module).resolve("target/native");
        try (DirectoryStream<Path> binaries = Files.newDirectoryStream(target, "*-runner")) {
            for (Path binary : binaries) {
                return binary;
            }
        } catch (NoSuchFileException e) {
            throw new StackException(this + " is not built: " + target + " is missing", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + target, e);
        }
        throw new StackException(this + " is not built: there is no binary in " + target);
    }

    /**
     * The environment variables of a service.
     *
     * @param names without {@code ONESHOT_}; one that ends with {@code _} is a prefix
     */
    private record Settings(Set<String> names) {

        private static final String PREFIX = "ONESHOT_";

        static Settings of(String names) {
            return new Settings(Set.of(names.split(" ", -1)));
        }

        boolean include(String variable) {
            return names.stream()
                    .anyMatch(name ->
                            name.endsWith("_") ? variable.startsWith(PREFIX + name) : variable.equals(PREFIX + name));
        }
    }

    private static final class Options {

        /** Returns heap after a backlog or some large mails: decision 15. */
        static final List<String> GIVES_BACK = List.of(
                "-XX:+UseG1GC",
                // Heap for the start, which is returned later. -Xms would also set the smallest size.
                "-XX:InitialHeapSize=64m",
                "-XX:MinHeapSize=16m",
                "-XX:MinHeapFreeRatio=10",
                "-XX:MaxHeapFreeRatio=20",
                "-XX:GCTimeRatio=9",
                "-XX:G1PeriodicGCInterval=5000");

        private Options() {}
    }
}
